#include "binary/mat_write.hpp"

#include "binary/binary.hpp"
#include "binary/fortran_blocks.hpp"
#include "binary/mat5_format.hpp"

#include <tulle/base/error.hpp>

#ifdef TULLE_HAVE_HDF5
#include "binary/hdf5.hpp"
#endif

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tulle {
namespace {

constexpr std::uint64_t kMaxInt32 = 0x7fff'ffff;
constexpr std::size_t kHeaderText = 116;
constexpr std::size_t kUserBlock = 512;

// A numeric array; `produce` passes its numbers on in Fortran order.
struct Variable {
  std::string name;
  std::vector<std::uint64_t> dimensions;
  std::function<void(const TakeNumbers&)> produce;

  std::uint64_t cells() const {
    return std::accumulate(dimensions.begin(), dimensions.end(), std::uint64_t{1}, std::multiplies<>());
  }
};

template <class T>
std::string_view as_bytes(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Text, offset of a subsystem (none), version, and two letters that show the byte order: "MI" as one 16-bit
// number.
std::string file_header(std::string_view text, std::uint16_t version) {
  std::string header(text);
  header.resize(kHeaderText, ' ');
  header.append(8, '\0');
  const std::uint16_t marks[] = {version, 'M' << 8 | 'I'};
  return header.append(as_bytes(std::span<const std::uint16_t>(marks)));
}

// ---- Version 5 ----

std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

std::string tag(MatType type, std::uint64_t bytes) {
  const std::uint32_t words[] = {type, static_cast<std::uint32_t>(bytes)};
  return std::string(as_bytes(std::span<const std::uint32_t>(words)));
}

std::string element(MatType type, std::string_view bytes) {
  std::string result = tag(type, bytes.size()).append(bytes);
  result.resize(8 + padded(bytes.size()), '\0');
  return result;
}

std::string array_head(MatClass array_class, std::uint64_t entries, std::span<const std::uint64_t> dimensions,
                       const std::string& name) {
  const std::uint32_t flags[] = {array_class, static_cast<std::uint32_t>(entries)};
  const std::vector<std::int32_t> sizes(dimensions.begin(), dimensions.end());
  return element(kUint32, as_bytes(std::span<const std::uint32_t>(flags))) +
         element(kInt32, as_bytes(std::span<const std::int32_t>(sizes))) + element(kInt8, name);
}

bool fits(const Variable& variable, std::uint64_t limit) {
  return variable.cells() * sizeof(double) < limit &&
         std::all_of(variable.dimensions.begin(), variable.dimensions.end(),
                     [](auto d) { return d <= kMaxInt32; });
}

void write_array(Sink& sink, const Variable& variable) {
  const std::string head = array_head(kDoubles, 0, variable.dimensions, variable.name);
  const std::uint64_t bytes = variable.cells() * sizeof(double);
  sink.write(tag(kMatrix, head.size() + 8 + bytes));
  sink.write(head);
  sink.write(tag(kDouble, bytes));
  variable.produce([&](std::span<const double> numbers) { sink.write(as_bytes(numbers)); });
}

void write_sparse_array(Sink& sink, const SparseTensor& tensor) {
  std::vector<std::size_t> order(tensor.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rows = tensor.column(0);
  const auto columns = tensor.column(1);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(columns[a], rows[a]) < std::pair(columns[b], rows[b]);
  });
  std::vector<std::int32_t> sorted_rows;
  std::vector<std::int32_t> pointers(std::size_t{tensor.shape()[1]} + 1, 0);
  std::vector<double> values;
  for (std::size_t entry : order) {
    sorted_rows.push_back(static_cast<std::int32_t>(rows[entry]));
    values.push_back(tensor.values()[entry]);
    ++pointers[std::size_t{columns[entry]} + 1];
  }
  std::partial_sum(pointers.begin(), pointers.end(), pointers.begin());

  const std::uint64_t dimensions[] = {tensor.shape()[0], tensor.shape()[1]};
  const std::string head =
      array_head(kSparse, std::max<std::size_t>(tensor.size(), 1), dimensions, kMatTensor);
  const std::string parts[] = {head, element(kInt32, as_bytes(std::span<const std::int32_t>(sorted_rows))),
                               element(kInt32, as_bytes(std::span<const std::int32_t>(pointers))),
                               element(kDouble, as_bytes(std::span<const double>(values)))};
  std::uint64_t bytes = 0;
  for (const std::string& part : parts) bytes += part.size();
  sink.write(tag(kMatrix, bytes));
  for (const std::string& part : parts) sink.write(part);
}

// ---- Version 7.3 ----

#ifdef TULLE_HAVE_HDF5

void write_attribute(hid_t dataset, const char* name, std::string_view text) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size());
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Id attribute(H5Acreate2(dataset, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute.get(), type.get(), text.data()) < 0)
    fail("cannot write an attribute");
}

void write_dataset(hid_t file, const Variable& variable) {
  const std::vector<hsize_t> dimensions(variable.dimensions.rbegin(), variable.dimensions.rend());
  const Hdf5Id space(H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
                     H5Sclose);
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);  // the same tensor gives the same bytes
  const Hdf5Id dataset(H5Dcreate2(file, variable.name.c_str(), H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                  creation.get(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset.valid()) fail("cannot make room for '{}'", variable.name);
  write_attribute(dataset.get(), "MATLAB_class", "double");

  // Every block consists of whole slices along the first mode of HDF5, which is the last of MATLAB.
  std::vector<hsize_t> start(dimensions.size(), 0);
  std::vector<hsize_t> count = dimensions;
  const std::uint64_t slice = variable.cells() / std::max<hsize_t>(dimensions[0], 1);
  variable.produce([&](std::span<const double> numbers) {
    if (numbers.empty()) return;
    count[0] = numbers.size() / slice;
    const Hdf5Id memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, numbers.data()) <
            0)
      fail("cannot write '{}'; is the disk full?", variable.name);
    start[0] += count[0];
  });
}

void write_hdf5(const std::string& path, const std::vector<Variable>& variables) {
  silence_hdf5();
  const Hdf5Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_userblock(creation.get(), kUserBlock);
  const Hdf5Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT), H5Fclose);
  if (!file.valid()) fail("cannot be created");
  for (const Variable& variable : variables) write_dataset(file.get(), variable);
  if (H5Fflush(file.get(), H5F_SCOPE_LOCAL) < 0) fail("cannot be written; is the disk full?");
}

void write_user_block(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "r+b");
  if (file == nullptr) fail("{}", std::strerror(errno));
  const std::string header = file_header("MATLAB 7.3 MAT-file, written by Tulle. HDF5 schema 1.00 .", 0x0200);
  const bool written = std::fwrite(header.data(), 1, header.size(), file) == header.size();
  if (std::fclose(file) != 0 || !written) fail("{}", std::strerror(errno));
}

void write_mat73(const std::string& path, const std::vector<Variable>& variables) {
  if (!kHdf5.is_installed())
    fail("{}: is too large for version 5, and 7.3 {}, or write another format", path, kHdf5Missing);
  AtomicFile file(path);
  try {
    write_hdf5(file.temporary_path(), variables);
    write_user_block(file.temporary_path());
  } catch (const Error& error) {
    fail("{}: {}", path, text_of(error));
  }
  file.commit();
}

#else

void write_mat73(const std::string& path, const std::vector<Variable>&) {
  fail("{}: is too large for version 5, and this tulle was built without HDF5; write another format", path);
}

#endif

// ---- Either ----

Variable dense_variable(const DenseTensor& tensor) {
  const auto dimensions = tensor.shape().dimensions();
  return {kMatTensor, {dimensions.begin(), dimensions.end()}, [&tensor](const TakeNumbers& take) {
            for_each_fortran_block(tensor, take);
          }};
}

// Passes a column of numbers on, one per entry, each plus `shift`.
template <class Number>
void hand_over_column(std::span<const Number> column, double shift, const TakeNumbers& take) {
  std::vector<double> numbers(column.begin(), column.end());
  for (double& number : numbers) number += shift;
  take(numbers);
}

std::vector<Variable> listed_variables(const SparseTensor& tensor) {
  const std::uint64_t entries = tensor.size();
  const auto order = static_cast<std::uint64_t>(tensor.order());
  return {{"subs",
           {entries, order},
           [&tensor](const TakeNumbers& take) {
             for (int mode = 0; mode < tensor.order(); ++mode) hand_over_column(tensor.column(mode), 1, take);
           }},
          {"vals",
           {entries, 1},
           [&tensor](const TakeNumbers& take) { hand_over_column(std::as_const(tensor).values(), 0, take); }},
          {"shape", {1, order}, [&tensor](const TakeNumbers& take) {
             hand_over_column(tensor.shape().dimensions(), 0, take);
           }}};
}

// True if the tensor fits a sparse array of version 5: rows and columns have 32 bits, and it takes 4 bytes
// per row index, 4 per column pointer and 8 per value.
bool fits_sparse(const SparseTensor& tensor, std::uint64_t limit) {
  return tensor.order() == 2 && tensor.shape()[0] <= kMaxInt32 && tensor.shape()[1] < kMaxInt32 &&
         tensor.size() * 12 + std::uint64_t{tensor.shape()[1]} * 4 < limit;
}

}  // namespace

void write_mat_within(const std::string& path, const Dataset& data, std::uint64_t mat5_limit) {
  const auto* sparse = std::get_if<SparseTensor>(&data.tensor);
  const bool sparse_array = sparse != nullptr && fits_sparse(*sparse, mat5_limit);
  std::vector<Variable> variables;
  if (sparse == nullptr)
    variables.push_back(dense_variable(std::get<DenseTensor>(data.tensor)));
  else if (!sparse_array)
    variables = listed_variables(*sparse);
  if (!std::all_of(variables.begin(), variables.end(),
                   [&](const Variable& v) { return fits(v, mat5_limit); }))
    return write_mat73(path, variables);

  Sink sink(path);
  sink.write(file_header("MATLAB 5.0 MAT-file, written by Tulle", 0x0100));
  if (sparse_array) write_sparse_array(sink, *sparse);
  for (const Variable& variable : variables) write_array(sink, variable);
  sink.commit();
}

void write_mat(const std::string& path, const Dataset& data) {
  write_mat_within(path, data, kMat5Limit);
}

}  // namespace tulle
