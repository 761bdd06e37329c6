// MATLAB files of version 7.3: HDF5 with conventions. A numeric array is a dataset with its sizes in reverse
// (the same order in memory) and an attribute MATLAB_class; a sparse matrix is a group of "ir", "jc" and
// "data".
//
// The HDF5 library is known to crash on damaged files, so it runs in a separate process.
#include "binary/mat.hpp"

#include <tulle/base/error.hpp>

#ifdef TULLE_HAVE_HDF5
#include "binary/hdf5.hpp"
#include "binary/isolated.hpp"
#include "binary/positions.hpp"
#include "text/listing.hpp"

#include <cstring>
#include <iterator>
#include <numeric>
#include <sstream>

namespace tulle {
namespace {

constexpr std::size_t kCellsPerRead = std::size_t{1} << 20;
constexpr std::size_t kChunkCache = std::size_t{64} << 20;
constexpr std::size_t kLongestName = 4096;
constexpr std::uint64_t kMaxDeflation = 1032;  // the largest possible compression ratio of deflate
constexpr const char* kClass = "MATLAB_class";
constexpr const char* kSparseAttribute = "MATLAB_sparse";
constexpr const char* kEmpty = "MATLAB_empty";
constexpr ElementType kHdf5Doubles{Element::f8, false};

// ---- In the child process ----

[[noreturn]] void fail_unreadable(const std::string& path, std::string_view what) {
  fail("{}: {} cannot be read; the file is damaged, copy or save it again", path, what);
}

Hdf5Id open_file(const std::string& path) {
  silence_hdf5();
  Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) fail_unreadable(path, "the HDF5 structure");
  return file;
}

Hdf5Id open_object(const std::string& path, hid_t parent, const std::string& name) {
  Hdf5Id object(H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) fail_unreadable(path, fmt::format("'{}'", shortened(name)));
  return object;
}

std::vector<std::string> names_in(const std::string& path, hid_t group) {
  H5G_info_t info;
  if (H5Gget_info(group, &info) < 0) fail_unreadable(path, "the list of variables");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[kLongestName];
    const ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    if (length < 0 || static_cast<std::size_t>(length) >= sizeof name)
      fail_unreadable(path, "the list of variables");
    if (name[0] != '#')
      names.emplace_back(name);  // but not "#refs#", "#subsystem#", the contents of cells and objects
  }
  return names;
}

std::string class_of(hid_t object) {
  if (H5Aexists(object, kClass) <= 0) return {};
  const Hdf5Id attribute(H5Aopen(object, kClass, H5P_DEFAULT), H5Aclose);
  const Hdf5Id type(H5Aget_type(attribute.get()), H5Tclose);
  char text[64] = {};
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      H5Tget_size(type.get()) >= sizeof text || H5Aget_storage_size(attribute.get()) >= sizeof text ||
      H5Aread(attribute.get(), type.get(), text) < 0)
    return "object";
  return text;
}

std::vector<hsize_t> dimensions_of(const std::string& path, hid_t dataset) {
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
  const int count = H5Sget_simple_extent_ndims(space.get());
  if (count < 0 || count > H5S_MAX_RANK) fail_unreadable(path, "the sizes of an array");
  std::vector<hsize_t> dimensions(static_cast<std::size_t>(count));
  if (H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr) < 0)
    fail_unreadable(path, "the sizes of an array");
  return dimensions;
}

bool is_numeric(const std::string& array_class) {
  static constexpr std::array<std::string_view, 11> names = {"double", "single", "int8",   "uint8",
                                                             "int16",  "uint16", "int32",  "uint32",
                                                             "int64",  "uint64", "logical"};
  return std::find(names.begin(), names.end(), array_class) != names.end();
}

void describe_dataset(const std::string& path, hid_t dataset, const std::string& array_class,
                      MatVariable& variable) {
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t stored = H5Tget_class(type.get());
  const bool number = stored == H5T_INTEGER || stored == H5T_FLOAT;
  variable.dimensions = {};
  if (stored == H5T_COMPOUND && is_numeric(array_class)) {
    variable.type = "complex";
  } else if (number && H5Aexists(dataset, kEmpty) <= 0 && (array_class.empty() || is_numeric(array_class))) {
    variable.kind = MatVariable::Kind::numbers;
    const auto dimensions = dimensions_of(path, dataset);
    variable.dimensions.assign(dimensions.rbegin(), dimensions.rend());
  } else if (H5Aexists(dataset, kEmpty) > 0) {
    variable.type = "empty";
  } else {
    variable.type = array_class.empty() ? "not numeric" : array_class;
  }
}

void describe_group(const std::string& path, hid_t group, const std::string& array_class,
                    MatVariable& variable) {
  variable.type = array_class.empty() || is_numeric(array_class) ? "struct" : array_class;
  if (H5Aexists(group, kSparseAttribute) <= 0) return;
  const Hdf5Id attribute(H5Aopen(group, kSparseAttribute, H5P_DEFAULT), H5Aclose);
  std::uint64_t rows = 0;
  const Hdf5Id space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1 ||
      H5Aread(attribute.get(), H5T_NATIVE_UINT64, &rows) < 0)
    fail_unreadable(path, "the sizes of a sparse matrix");
  const Hdf5Id pointers = open_object(path, group, "jc");
  const auto dimensions = dimensions_of(path, pointers.get());
  if (dimensions.size() != 1 || dimensions[0] == 0) fail_unreadable(path, "the sizes of a sparse matrix");
  variable.dimensions = {rows, dimensions[0] - 1};
  variable.kind = MatVariable::Kind::sparse;
  if (H5Lexists(group, "data", H5P_DEFAULT) <= 0) return;  // a matrix of zeros
  const Hdf5Id data = open_object(path, group, "data");
  const Hdf5Id type(H5Dget_type(data.get()), H5Tclose);
  if (H5Tget_class(type.get()) == H5T_COMPOUND) {
    variable.kind = MatVariable::Kind::other;
    variable.type = "complex";
  }
}

MatVariable describe(const std::string& path, hid_t file, const std::string& name) {
  MatVariable variable;
  variable.name = name;
  const Hdf5Id object = open_object(path, file, name);
  const std::string array_class = class_of(object.get());
  switch (H5Iget_type(object.get())) {
    case H5I_DATASET:
      describe_dataset(path, object.get(), array_class, variable);
      break;
    case H5I_GROUP:
      describe_group(path, object.get(), array_class, variable);
      break;
    default:
      variable.type = "no array";
  }
  return variable;
}

// Name, kind, type and sizes of each variable, one per line.
void send_variables(const std::string& path, const TakeBytes& take) {
  const Hdf5Id file = open_file(path);
  for (const std::string& name : names_in(path, file.get())) {
    const MatVariable variable = describe(path, file.get(), name);
    if (name.find('\n') != std::string::npos) continue;  // not a name that MATLAB writes
    take(fmt::format("{}\n{}\n{}\n{}\n", name, static_cast<int>(variable.kind), shortened(variable.type),
                     fmt::join(variable.dimensions, " ")));
  }
}

// Sends all numbers of a dataset as doubles.
void send_numbers(const std::string& path, hid_t file, const std::string& name, const TakeBytes& take) {
  const Hdf5Id cache(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(cache.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, kChunkCache, H5D_CHUNK_CACHE_W0_DEFAULT);
  const Hdf5Id dataset(H5Dopen2(file, name.c_str(), cache.get()), H5Dclose);
  if (!dataset.valid()) fail_unreadable(path, fmt::format("'{}'", shortened(name)));
  const Hdf5Id type(H5Dget_type(dataset.get()), H5Tclose);
  const auto dimensions = dimensions_of(path, dataset.get());
  const double cells = std::accumulate(dimensions.begin(), dimensions.end(), 1.0, std::multiplies<>());
  const auto stored = static_cast<double>(H5Dget_storage_size(dataset.get()));
  if (cells * static_cast<double>(H5Tget_size(type.get())) > (stored + 64) * kMaxDeflation)
    fail("{}: '{}' promises {} cells, but the file holds only {} bytes of them; save it again", path, name,
         cells, stored);

  const Hdf5Id space(H5Dget_space(dataset.get()), H5Sclose);
  std::vector<double> block;
  for_each_box(dimensions, kCellsPerRead, [&](const auto& start, const auto& count, std::size_t size) {
    block.resize(size);
    const Hdf5Id memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, block.data()) < 0)
      fail_unreadable(path, fmt::format("'{}'", shortened(name)));
    take({reinterpret_cast<const char*>(block.data()), size * sizeof(double)});
  });
}

// ---- In this process ----

class Mat73 final : public MatFile {
 public:
  explicit Mat73(const std::string& path) : path_(path) {
    const auto stream = run_isolated(path, [&](const TakeBytes& take) { send_variables(path_, take); });
    std::string text;
    std::array<char, 4096> block;
    while (const std::size_t got = stream->read(block)) text.append(block.data(), got);
    std::istringstream lines(text);
    MatVariable variable;
    for (std::string kind, sizes; std::getline(lines, variable.name) && std::getline(lines, kind) &&
                                  std::getline(lines, variable.type) && std::getline(lines, sizes);) {
      variable.kind = static_cast<MatVariable::Kind>(kind.front() - '0');
      std::istringstream numbers(sizes);
      variable.dimensions.assign(std::istream_iterator<std::uint64_t>(numbers), {});
      variables_.push_back(variable);
    }
  }

  const std::vector<MatVariable>& variables() const override { return variables_; }

  void read_numbers(std::size_t variable, const TakeNumbers& take) const override {
    read_dataset(variables_[variable].name, variables_[variable].cells(path_), take);
  }

  MatSparse read_sparse(std::size_t variable) const override {
    const std::string& name = variables_[variable].name;
    const std::string shown = fmt::format("{}[{}]", path_, shortened(name));
    const Shape shape({variables_[variable].dimensions[0], variables_[variable].dimensions[1]});
    MatSparse result;
    read_dataset(name + "/ir", {}, [&](std::span<const double> numbers) {
      for (double row : numbers) result.rows.push_back(to_position(shown, row, shape[0], result.rows.size()));
    });
    PointerExpander columns(shown, shape[1], result.rows.size());
    read_dataset(name + "/jc", {}, [&](std::span<const double> numbers) { columns.append(numbers); });
    result.columns = columns.take();
    read_dataset(name + "/data", {}, [&](std::span<const double> numbers) {
      for (double value : numbers) result.values.push_back(static_cast<float>(value));
    });
    return result;
  }

 private:
  // Reads `cells` numbers, or all if that is empty.
  void read_dataset(const std::string& name, std::optional<std::uint64_t> cells,
                    const TakeNumbers& take) const {
    const auto stream = run_isolated(path_, [&](const TakeBytes& send) {
      const Hdf5Id file = open_file(path_);
      // An empty sparse matrix has no "ir" and no "data".
      if (!cells && H5Lexists(file.get(), name.c_str(), H5P_DEFAULT) <= 0) return;
      send_numbers(path_, file.get(), name, send);
    });
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max() / 8;
    const std::uint64_t bytes = read_elements(*stream, kHdf5Doubles, cells.value_or(kAll), take);
    if (cells && bytes < *cells * sizeof(double))
      fail_unreadable(path_, fmt::format("'{}'", shortened(name)));
  }

  std::string path_;
  std::vector<MatVariable> variables_;
};

}  // namespace

std::unique_ptr<MatFile> open_mat73(const std::string& path) {
  if (!kHdf5.is_installed())
    fail("{}: is of version 7.3 and {}, or save the file by save -v7", path, kHdf5Missing);
  return std::make_unique<Mat73>(path);
}

}  // namespace tulle
#else
namespace tulle {

std::unique_ptr<MatFile> open_mat73(const std::string& path) {
  fail("{}: is of version 7.3, and this tulle was built without HDF5; save it by save -v7", path);
}

}  // namespace tulle
#endif
