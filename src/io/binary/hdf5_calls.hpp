// The functions and values of HDF5 that are used, under their own names.
#pragma once

#include <tulle/base/loaded_library.hpp>

#include <hdf5.h>

namespace tulle {

// Versions 1.10, 1.12 and 1.14, as Debian and as others call them. What is used here is the same in all of
// them, so the check of HDF5's macros, which ends the program under any version but the one of the headers,
// is not made.
inline constinit const LoadedLibrary kHdf5(
    "libhdf5_serial.so.103 libhdf5.so.103 libhdf5.so.200 libhdf5_serial.so.310 libhdf5.so.310 libhdf5.dylib");
inline herr_t H5check_version(unsigned, unsigned, unsigned) {
  return 0;
}
constexpr const char* kHdf5Missing = "needs the HDF5 library, libhdf5; install it (Debian: libhdf5-103-1)";

#define TULLE_LOADED(name) inline constinit const LoadedFunction<decltype(::name)> name(kHdf5, #name)
TULLE_LOADED(H5Aclose);
TULLE_LOADED(H5Acreate2);
TULLE_LOADED(H5Aexists);
TULLE_LOADED(H5Aget_space);
TULLE_LOADED(H5Aget_storage_size);
TULLE_LOADED(H5Aget_type);
TULLE_LOADED(H5Aopen);
TULLE_LOADED(H5Aread);
TULLE_LOADED(H5Awrite);
TULLE_LOADED(H5Dclose);
TULLE_LOADED(H5Dcreate2);
TULLE_LOADED(H5Dget_space);
TULLE_LOADED(H5Dget_storage_size);
TULLE_LOADED(H5Dget_type);
TULLE_LOADED(H5Dopen2);
TULLE_LOADED(H5Dread);
TULLE_LOADED(H5Dwrite);
TULLE_LOADED(H5Eset_auto2);
TULLE_LOADED(H5Fclose);
TULLE_LOADED(H5Fcreate);
TULLE_LOADED(H5Fflush);
TULLE_LOADED(H5Fopen);
TULLE_LOADED(H5Gget_info);
TULLE_LOADED(H5Iget_type);
TULLE_LOADED(H5Lexists);
TULLE_LOADED(H5Lget_name_by_idx);
TULLE_LOADED(H5Oclose);
TULLE_LOADED(H5Oopen);
TULLE_LOADED(H5Pclose);
TULLE_LOADED(H5Pcreate);
TULLE_LOADED(H5Pset_chunk_cache);
TULLE_LOADED(H5Pset_obj_track_times);
TULLE_LOADED(H5Pset_userblock);
TULLE_LOADED(H5Sclose);
TULLE_LOADED(H5Screate);
TULLE_LOADED(H5Screate_simple);
TULLE_LOADED(H5Sget_simple_extent_dims);
TULLE_LOADED(H5Sget_simple_extent_ndims);
TULLE_LOADED(H5Sget_simple_extent_npoints);
TULLE_LOADED(H5Sselect_hyperslab);
TULLE_LOADED(H5Tclose);
TULLE_LOADED(H5Tcopy);
TULLE_LOADED(H5Tget_class);
TULLE_LOADED(H5Tget_size);
TULLE_LOADED(H5Tis_variable_str);
TULLE_LOADED(H5Tset_size);
TULLE_LOADED(H5open);
#undef TULLE_LOADED
#define TULLE_LOADED(name) inline constinit const LoadedValue<hid_t> name(kHdf5, #name)
TULLE_LOADED(H5P_CLS_DATASET_ACCESS_ID_g);
TULLE_LOADED(H5P_CLS_DATASET_CREATE_ID_g);
TULLE_LOADED(H5P_CLS_FILE_CREATE_ID_g);
TULLE_LOADED(H5T_C_S1_g);
TULLE_LOADED(H5T_IEEE_F64LE_g);
TULLE_LOADED(H5T_NATIVE_DOUBLE_g);
TULLE_LOADED(H5T_NATIVE_UINT64_g);
#undef TULLE_LOADED

}  // namespace tulle
