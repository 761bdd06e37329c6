#include "binary/npz.hpp"

#include "binary/binary.hpp"
#include "binary/expected.hpp"
#include "binary/modes_json.hpp"
#include "binary/positions.hpp"
#include "binary/promise.hpp"
#include "binary/zip_writer.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>

namespace tulle {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr std::string_view kFormat = "tulle tensor";
constexpr const char* kDense = "tensor";
constexpr const char* kIndices = "indices";
constexpr const char* kValues = "values";
constexpr const char* kShape = "shape";
constexpr std::size_t kShownNames = 20;

Shape read_shape(const ZipReader& zip) {
  const NpzArray array = open_array(zip, kShape);
  const std::string& name = array.stream->name();
  if (array.header.shape.size() != 1 || array.header.shape[0] > kMaxOrder)
    fail("{}: is no list of 2 to 8 sizes; write it again", name);
  std::vector<std::uint64_t> dimensions;
  for (double size : read_numbers(array)) {
    if (!(size >= 1 && size <= static_cast<double>(kMaxDimension) && size == std::floor(size)))
      fail("{}: states a size of {}; write it again", name, size);
    dimensions.push_back(static_cast<std::uint64_t>(size));
  }
  return shape_in_file(name, dimensions);
}

std::uint64_t check_length(const NpzArray& array, std::optional<std::uint64_t> length) {
  const auto& shape = array.header.shape;
  if (shape.size() != 1)
    fail("{}: has {} modes instead of 1; write it again", array.stream->name(), shape.size());
  if (length && shape[0] != *length)
    fail("{}: has {} elements, but the other arrays need {}; write it again", array.stream->name(), shape[0],
         *length);
  return shape[0];
}

std::vector<float> read_values(const ZipReader& zip, const std::string& member, const ReadOptions& options) {
  const NpzArray array = open_array(zip, member);
  const std::uint64_t count = check_length(array, {});
  check_memory(array.stream->name(), count, sizeof(float));
  PromisedVector<float> values(count);
  read_npy_elements(*array.stream, array.header, [&](std::span<const double> block) {
    for (double value : block) values.push_back(listed_value(value, options));
  });
  return values.take();
}

std::vector<Index> read_positions(const ZipReader& zip, const std::string& member, Index size,
                                  std::uint64_t length) {
  const NpzArray array = open_array(zip, member);
  const std::uint64_t count = check_length(array, length);
  check_memory(array.stream->name(), count, sizeof(Index));
  PromisedVector<Index> positions(count);
  read_npy_elements(*array.stream, array.header, [&](std::span<const double> block) {
    for (double value : block)
      positions.push_back(to_position(array.stream->name(), value, size, positions.size()));
  });
  return positions.take();
}

Json read_json(const ZipReader& zip) {
  return parse_member(fmt::format("{}[{}]", zip.path(), kJsonMember), zip.read_all(kJsonMember, kMaxJson),
                      std::array{kFormat});
}

Unlisted unlisted_from_json(const ZipReader& zip, const Json& json) {
  const std::string text = text_of(zip.path(), json, "unlisted");
  if (text == "missing") return Unlisted::missing;
  if (text == "zero") return Unlisted::zero;
  fail("{}: says that unlisted cells are '{}', neither missing nor zero; write it again", zip.path(),
       shortened(text));
}

Dataset read_listed(const ZipReader& zip, const ReadOptions& options) {
  const Shape shape = read_shape(zip);
  Unlisted unlisted = options.unlisted;
  std::vector<Mode> modes = unnamed_modes(shape.order());
  if (zip.has(kJsonMember)) {
    const Json json = read_json(zip);
    unlisted = unlisted_from_json(zip, json);
    modes = modes_from_json(zip.path(), json, shape);
  }
  auto values = read_values(zip, kValues, options);
  auto columns = read_cells(zip, kIndices, shape, values.size());
  return {std::move(modes),
          list_cells(zip.path(), shape, std::move(columns), std::move(values), unlisted, options)};
}

Dataset read_dense(const ZipReader& zip, const std::string& member, const ReadOptions& options) {
  const NpzArray array = open_array(zip, member);
  Dataset data = read_npy_tensor(*array.stream, array.header, options);
  if (member == kDense && zip.has(kJsonMember))
    data.modes = modes_from_json(zip.path(), read_json(zip), data.shape());
  return data;
}

// scipy.sparse.save_npz: 'format' is the name of a class of matrices, the other members its attributes.
std::string read_scipy_format(const ZipReader& zip) {
  const NpzArray array = open_array(zip, "format");
  const std::size_t size = array.header.text_bytes;
  if (size == 0 || array.header.elements() != 1)
    fail("{}: is no text; if the file is not of scipy.sparse, name the array to read", array.stream->name());
  std::string text(size, '\0');
  if (array.stream->read(text) < size) fail("{}: is cut off; write it again", array.stream->name());
  std::erase(text, '\0');  // UTF-32 for a Python str, and padding
  return text;
}

std::vector<Index> read_pointers(const ZipReader& zip, Index size, std::uint64_t entries) {
  const NpzArray array = open_array(zip, "indptr");
  check_length(array, std::uint64_t{size} + 1);
  PointerExpander expander(array.stream->name(), size, entries);
  read_npy_elements(*array.stream, array.header,
                    [&](std::span<const double> block) { expander.append(block); });
  auto positions = expander.take();
  if (positions.size() != entries)
    fail("{}: ends at {}, but there are {} entries; write it again", array.stream->name(), positions.size(),
         entries);
  return positions;
}

Dataset read_scipy(const ZipReader& zip, const ReadOptions& options) {
  const std::string format = read_scipy_format(zip);
  if (format != "coo" && format != "csr" && format != "csc")
    fail("{}: is a scipy.sparse matrix in form '{}'; save it with save_npz(path, matrix.tocoo())", zip.path(),
         shortened(format));
  const Shape shape = read_shape(zip);
  if (shape.order() != 2)
    fail("{}: a scipy.sparse matrix has 2 modes, not {}; write it again", zip.path(), shape.order());
  auto values = read_values(zip, "data", options);
  std::vector<std::vector<Index>> columns(2);
  if (format == "coo") {
    columns[0] = read_positions(zip, "row", shape[0], values.size());
    columns[1] = read_positions(zip, "col", shape[1], values.size());
  } else {
    const int compressed = format == "csr" ? 0 : 1;
    columns[1 - compressed] = read_positions(zip, kIndices, shape[1 - compressed], values.size());
    columns[compressed] = read_pointers(zip, shape[compressed], values.size());
  }
  return {unnamed_modes(2),
          list_cells(zip.path(), shape, std::move(columns), std::move(values), options.unlisted, options)};
}

std::string shown(const std::vector<std::string>& names) {
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(names.size(), kShownNames); ++i) first.push_back(shortened(names[i]));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > kShownNames ? ", ..." : "");
}

Dataset read_chosen(const ZipReader& zip, const ReadOptions& options) {
  const std::vector<std::string> names = array_names(zip);
  if (names.empty()) fail("{}: holds no arrays; write it with numpy.savez", zip.path());
  if (!options.variable.empty()) {
    if (!has_array(zip, options.variable))
      fail("{}: has no array '{}'; there are {}", zip.path(), options.variable, shown(names));
    return read_dense(zip, options.variable, options);
  }
  if (has_array(zip, "format")) return read_scipy(zip, options);
  if (has_array(zip, kIndices) && has_array(zip, kValues) && has_array(zip, kShape))
    return read_listed(zip, options);
  if (names.size() == 1) return read_dense(zip, names.front(), options);
  if (zip.has(kJsonMember)) static_cast<void>(read_json(zip));  // throws if this is a model
  fail("{}: holds several arrays, name one of {}", zip.path(), shown(names));
}

void write_dense(ZipWriter& zip, const DenseTensor& tensor) {
  const auto dimensions = tensor.shape().dimensions();
  zip.add_array<double>(kDense, "f8", std::vector<std::uint64_t>(dimensions.begin(), dimensions.end()),
                        tensor.values());
}

void write_listed(ZipWriter& zip, const SparseTensor& tensor) {
  const auto dimensions = tensor.shape().dimensions();
  const std::vector<std::int64_t> shape(dimensions.begin(), dimensions.end());
  const std::uint64_t order[] = {shape.size()};
  const std::uint64_t entries[] = {tensor.size()};
  zip.add_array<std::int64_t>(kShape, "i8", order, shape);
  write_cells(zip, kIndices, tensor.cells());
  zip.add_array<float>(kValues, "f4", entries, tensor.values());
}

}  // namespace

bool has_array(const ZipReader& zip, const std::string& array) {
  return zip.has(std::string(array).append(kSuffix));
}

std::vector<std::string> array_names(const ZipReader& zip) {
  std::vector<std::string> names;
  for (const std::string& member : zip.members())
    if (member.ends_with(kSuffix)) names.push_back(member.substr(0, member.size() - kSuffix.size()));
  return names;
}

NpzArray open_array(const ZipReader& zip, const std::string& array) {
  const std::string member = std::string(array).append(kSuffix);
  NpzArray result{zip.open(member), {}};
  result.header = read_npy_header(*result.stream);
  if (const std::uint64_t stated = zip.size(member); stated != result.header.bytes())
    fail("{}: takes {} bytes in the archive, but its header promises {}; write it again",
         result.stream->name(), stated, result.header.bytes());
  return result;
}

std::vector<std::vector<Index>> read_cells(const ZipReader& zip, const std::string& member,
                                           const Shape& shape, std::uint64_t entries) {
  const NpzArray array = open_array(zip, member);
  const std::string& name = array.stream->name();
  const std::size_t order = static_cast<std::size_t>(shape.order());
  if (array.header.shape != std::vector<std::uint64_t>{entries, order})
    fail("{}: is {}, but {} values of a {} tensor need {}x{}; write it again", name,
         fmt::join(array.header.shape, "x"), entries, shape.text(), entries, order);
  check_memory(name, entries, order * sizeof(Index));
  std::vector<PromisedVector<Index>> columns(order, PromisedVector<Index>(entries));
  std::uint64_t element = 0;
  read_npy_elements(*array.stream, array.header, [&](std::span<const double> block) {
    for (double value : block) {
      const std::size_t mode = array.header.order == CellOrder::c ? element % order : element / entries;
      columns[mode].push_back(to_position(name, value, shape[static_cast<int>(mode)], element));
      ++element;
    }
  });
  std::vector<std::vector<Index>> result;
  for (auto& column : columns) result.push_back(column.take());
  return result;
}

void write_cells(ZipWriter& zip, const std::string& member, const Cells& cells) {
  const std::uint64_t shape[] = {cells.size(), static_cast<std::uint64_t>(cells.order())};
  zip.add(std::string(member).append(kSuffix), [&](const ZipWriter::Take& take) {
    constexpr std::size_t kRows = 16384;
    take(npy_header("u4", shape));
    std::vector<Index> block;
    for (std::size_t start = 0; start < cells.size(); start += kRows) {
      block.clear();
      for (std::size_t entry = start; entry < std::min(start + kRows, cells.size()); ++entry)
        for (int mode = 0; mode < cells.order(); ++mode) block.push_back(cells(entry, mode));
      take({reinterpret_cast<const char*>(block.data()), block.size() * sizeof(Index)});
    }
  });
}

std::vector<double> read_numbers(const NpzArray& array) {
  check_memory(array.stream->name(), array.header.elements(), sizeof(double));
  PromisedVector<double> numbers(array.header.elements());
  read_npy_elements(*array.stream, array.header,
                    [&](std::span<const double> block) { numbers.append(block); });
  return numbers.take();
}

Dataset read_npz(const std::string& path, const ReadOptions& options) {
  return as_expected(path, read_chosen(ZipReader(path), options), options);
}

void write_npz(const std::string& path, const Dataset& data) {
  check_modes(path, data.modes, data.shape());
  Sink sink(path);
  ZipWriter zip(sink);
  Json json = {{"format", kFormat}, {"version", kJsonVersion}};
  if (const auto* sparse = std::get_if<SparseTensor>(&data.tensor)) {
    json["unlisted"] = sparse->unlisted() == Unlisted::missing ? "missing" : "zero";
    write_listed(zip, *sparse);
  } else {
    write_dense(zip, std::get<DenseTensor>(data.tensor));
  }
  json["modes"] = modes_to_json(data.modes);
  const std::string text = json_text(json) + '\n';
  zip.add(kJsonMember, [&](const ZipWriter::Take& take) { take(text); });
  zip.finish();
  sink.commit();
}

}  // namespace tulle
