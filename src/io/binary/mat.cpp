#include "binary/mat.hpp"

#include "binary/binary.hpp"
#include "binary/collect.hpp"
#include "binary/expected.hpp"
#include "binary/positions.hpp"
#include "binary/promise.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>

#include <cstring>

namespace tulle {
namespace {

using Kind = MatVariable::Kind;

// HDF5 begins at byte 0 or after a user block, which has 512 bytes in MATLAB's files.
bool is_hdf5(const std::string& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  std::array<char, 520> start{};
  const std::size_t size = Source(path).read(start);
  const std::string_view text(start.data(), size);
  return text.starts_with(kSignature) || (size == start.size() && text.substr(512) == kSignature);
}

std::string shown_name(const std::string& path, const MatVariable& variable) {
  return fmt::format("{}[{}]", path, shortened(variable.name));
}

std::optional<std::size_t> find(const MatFile& file, std::string_view name) {
  const auto& variables = file.variables();
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.name == name; });
  if (found == variables.end()) return {};
  return static_cast<std::size_t>(found - variables.begin());
}

std::string shown_names(const MatFile& file) {
  constexpr std::size_t kMost = 20;
  std::string names;
  for (std::size_t i = 0; i < std::min(kMost, file.variables().size()); ++i)
    names += fmt::format("{}{}", i > 0 ? ", " : "", shortened(file.variables()[i].name));
  return file.variables().size() > kMost ? names + ", ..." : names;
}

// The named variable, the only one, or the only numeric one with more than one cell.
std::size_t choose(const std::string& path, const MatFile& file, const std::string& name) {
  const auto& variables = file.variables();
  if (variables.empty()) fail("{}: holds no variables; save an array in it", path);
  if (!name.empty()) {
    if (const auto found = find(file, name)) return *found;
    fail("{}: has no variable '{}'; there are {}", path, name, shown_names(file));
  }
  if (variables.size() == 1) return 0;
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].kind != Kind::other && variables[i].cells(path) > 1) candidates.push_back(i);
  if (candidates.size() != 1) fail("{}: holds several variables, name one of {}", path, shown_names(file));
  return candidates.front();
}

Dataset read_variable(const std::string& path, const MatFile& file, std::size_t index,
                      const ReadOptions& options) {
  const MatVariable& variable = file.variables()[index];
  const std::string name = shown_name(path, variable);
  if (variable.kind == Kind::other)
    fail("{}: is {}, not an array of real numbers; save numbers, or name another of {}", name, variable.type,
         shown_names(file));
  if (variable.kind == Kind::numbers)
    return read_array(name, variable.dimensions, CellOrder::fortran, options,
                      [&](const TakeNumbers& take) { file.read_numbers(index, take); });
  const Shape shape = shape_in_file(name, variable.dimensions);
  if (shape.order() != 2)
    fail("{}: is sparse with {} modes instead of 2; save it again", name, shape.order());
  MatSparse sparse = file.read_sparse(index);
  // MATLAB may reserve space for more entries than there are.
  const std::size_t entries = sparse.columns.size();
  if (sparse.rows.size() < entries || sparse.values.size() < entries)
    fail("{}: has fewer rows or values than its {} entries; save it again", name, entries);
  sparse.rows.resize(entries);
  sparse.values.resize(entries);
  return {unnamed_modes(2), list_cells(name, shape, {std::move(sparse.rows), std::move(sparse.columns)},
                                       std::move(sparse.values), options.unlisted, options)};
}

// Sparse tensors of any order, as the arguments of sptensor(subs, vals, shape) in the Tensor Toolbox: subs
// has a row of 1-based positions for each entry.
class ListedTensor {
 public:
  ListedTensor(const std::string& path, const MatFile& file) : path_(path), file_(file) {}

  bool present() const { return is_numbers("subs") && is_numbers("vals") && is_numbers("shape"); }

  Dataset read(const ReadOptions& options) const {
    const Shape shape = read_shape();
    const std::uint64_t entries = variable("vals").cells(path_);
    check_memory(path_, entries, sizeof(float) + sizeof(Index) * static_cast<std::size_t>(shape.order()));
    auto columns = read_columns(shape, entries);
    PromisedVector<float> values(entries);
    file_.read_numbers(*find(file_, "vals"), [&](std::span<const double> numbers) {
      for (double number : numbers) values.push_back(listed_value(number, options));
    });
    return {unnamed_modes(shape.order()),
            list_cells(path_, shape, std::move(columns), values.take(), options.unlisted, options)};
  }

 private:
  const MatVariable& variable(std::string_view name) const { return file_.variables()[*find(file_, name)]; }
  bool is_numbers(std::string_view name) const {
    return find(file_, name).has_value() && variable(name).kind == Kind::numbers;
  }

  Shape read_shape() const {
    const std::string name = shown_name(path_, variable("shape"));
    if (variable("shape").cells(path_) > kMaxOrder)
      fail("{}: is no list of 2 to 8 sizes; save it again", name);
    std::vector<std::uint64_t> dimensions;
    file_.read_numbers(*find(file_, "shape"), [&](std::span<const double> sizes) {
      for (double size : sizes)
        dimensions.push_back(std::uint64_t{to_position(name, size, kMaxDimension, dimensions.size())});
    });
    return shape_in_file(name, dimensions);
  }

  std::vector<std::vector<Index>> read_columns(const Shape& shape, std::uint64_t entries) const {
    const std::string name = shown_name(path_, variable("subs"));
    const std::vector<std::uint64_t> needed = {entries, static_cast<std::uint64_t>(shape.order())};
    if (variable("subs").dimensions != needed)
      fail("{}: is {}, but {} values of a {} tensor need {}; save it again", name,
           fmt::join(variable("subs").dimensions, "x"), entries, shape.text(), fmt::join(needed, "x"));
    std::vector<PromisedVector<Index>> columns(shape.order(), PromisedVector<Index>(entries));
    std::uint64_t element = 0;
    file_.read_numbers(*find(file_, "subs"), [&](std::span<const double> numbers) {
      for (double number : numbers) {
        const int mode = static_cast<int>(element / entries);
        if (!(number >= 1 && number <= shape[mode] && number == std::floor(number)))
          fail("{}: row {} has position {} in mode {}, but positions run from 1 to {}; save it again", name,
               element % entries + 1, number, mode + 1, shape[mode]);
        columns[mode].push_back(static_cast<Index>(number - 1));
        ++element;
      }
    });
    std::vector<std::vector<Index>> result;
    for (auto& column : columns) result.push_back(column.take());
    return result;
  }

  const std::string& path_;
  const MatFile& file_;
};

}  // namespace

std::uint64_t MatVariable::cells(const std::string& path) const {
  std::uint64_t product = 1;
  for (std::uint64_t size : dimensions)
    if (__builtin_mul_overflow(product, size, &product) ||
        product > std::numeric_limits<std::int64_t>::max() / 8)
      fail("{}: promises more cells than any memory holds; save it again", shown_name(path, *this));
  return product;
}

Dataset read_mat(const std::string& path, const ReadOptions& options) {
  const auto file = is_hdf5(path) ? open_mat73(path) : open_mat5(path);
  const ListedTensor listed(path, *file);
  Dataset data = options.variable.empty() && listed.present()
                     ? listed.read(options)
                     : read_variable(path, *file, choose(path, *file, options.variable), options);
  return as_expected(path, std::move(data), options);
}

}  // namespace tulle
