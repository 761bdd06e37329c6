#include "memory.hpp"

#include "binary/collect.hpp"
#include "binary/expected.hpp"
#include "text/assemble.hpp"
#include "text/labels.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace tulle {
namespace {

// A path is a number, which messages do not show, followed by the name of the data, which they show.
std::string path_of(std::uint64_t number, std::string_view name) {
  return hidden(fmt::format("memory {}", number)) + std::string(name);
}

// ---- The register ----

struct Held {
  std::string name;
  DataInMemory data;
};

struct Register {
  std::mutex mutex;
  std::map<std::string, Held, std::less<>> held;
  std::uint64_t count = 0;
};

Register& memory_register() {
  static Register all;
  return all;
}

// ---- Tables ----

std::size_t rows_of(const TableInMemory& table) {
  return std::visit([](const auto& codes) { return codes.size(); }, table.modes.front().codes);
}

double value_at(const NumbersInMemory& numbers, std::size_t row) {
  return std::visit([&](const auto& values) { return static_cast<double>(values[row]); }, numbers);
}

// The rows of a table whose values are not missing. New labels are numbered after the known ones, in the
// order of these rows, as for a CSV file, where a row without a value does not count.
class TableReader {
 public:
  TableReader(const std::string& name, const TableInMemory& table, const ReadOptions& options)
      : name_(name), table_(table), options_(options) {
    const std::optional<int> expected = expected_order(options);
    if (expected && *expected != static_cast<int>(table.modes.size()))
      fail("{}: {} columns of positions, but there are {} modes; give one for each", name, table.modes.size(),
           *expected);
  }

  // `with_values`: rows whose value is missing are omitted.
  void read(bool with_values) {
    keep_rows(with_values);
    for (std::size_t mode = 0; mode < table_.modes.size(); ++mode) {
      const ColumnInMemory& column = table_.modes[mode];
      modes_.push_back({mode < options_.known.size() ? options_.known[mode].name : column.name, {}});
      std::visit([&](const auto& codes) { column.labels ? place(mode, codes) : number(mode, codes); },
                 column.codes);
    }
  }

  Dataset dataset() {
    std::vector<float> values(kept_.size(), 1);
    if (table_.values)
      for (std::size_t i = 0; i < kept_.size(); ++i)
        values[i] = listed_value(value_at(*table_.values, kept_[i]), options_);
    const Shape shape = this->shape();
    return {std::move(modes_), list_cells({name_, 0}, shape, std::move(columns_), std::move(values),
                                          options_.unlisted, options_)};
  }

  CellList cells() {
    const Shape shape = this->shape();
    return {std::move(modes_), Cells(shape, std::move(columns_))};
  }

 private:
  void keep_rows(bool with_values) {
    const bool skips = with_values && table_.values && options_.nan_is_missing;
    kept_.reserve(rows_of(table_));
    for (std::size_t row = 0; row < rows_of(table_); ++row)
      if (!skips || !std::isnan(value_at(*table_.values, row))) kept_.push_back(row);
    if (kept_.empty() && !options_.may_be_empty) fail("{}: no entries; give at least one cell", name_);
  }

  bool may_grow(std::size_t mode) const {
    return options_.known.empty() || options_.grow || options_.known[mode].any;
  }

  // Positions by their numbers.
  template <class Codes>
  void number(std::size_t mode, const Codes& codes) {
    if (mode < options_.known.size()) modes_[mode].labels = options_.known[mode].labels;
    std::vector<Index>& column = columns_.emplace_back();
    column.reserve(kept_.size());
    const std::uint64_t bound = bounds_of(options_)[mode];
    for (std::size_t row : kept_) {
      if (codes[row] < 0 || static_cast<std::uint64_t>(codes[row]) >= bound)
        fail("{} row {}: position {} of {} is outside 0..{}; correct it[, or give a larger shape (@shape)]",
             name_, row, codes[row], modes_[mode].name, bound - 1);
      column.push_back(static_cast<Index>(codes[row]));
    }
  }

  // Positions by their labels.
  template <class Codes>
  void place(std::size_t mode, const Codes& codes) {
    const std::vector<std::string>& own = *table_.modes[mode].labels;
    const bool known = mode < options_.known.size();
    if (known && options_.known[mode].labels.empty() && !options_.known[mode].any)
      fail("{}: {} has positions without labels; give their numbers, from 0", name_, modes_[mode].name);
    Labels labels = known ? Labels(options_.known[mode].labels) : Labels();
    std::vector<std::size_t> places(own.size(), Labels::kNone);
    std::vector<Index>& column = columns_.emplace_back();
    column.reserve(kept_.size());
    for (std::size_t row : kept_) {
      const auto code = static_cast<std::size_t>(codes[row]);  // a negative code becomes a large number
      if (code >= own.size() || own[code].empty())
        fail("{} row {}: {} is empty; every cell needs a position in each mode", name_, row,
             modes_[mode].name);
      std::size_t& place = places[code];
      if (place == Labels::kNone)
        place = may_grow(mode) ? labels.find_or_add(own[code]) : labels.find(own[code]);
      if (place == Labels::kNone)
        fail(
            "{} row {}: '{}' is not among the known labels of {}{}; remove the row, or let new labels be "
            "added",
            name_, row, shortened(own[code]), modes_[mode].name, suggestion(own[code], labels.strings()));
      column.push_back(static_cast<Index>(place));
    }
    modes_[mode].labels = labels.strings();
    if (options_.duplicates == Duplicates::refuse) return;
    const std::vector<Index> sorted =
        sort_labels(modes_[mode].labels, known ? options_.known[mode].labels.size() : 0);
    for (Index& position : column) position = sorted[position];
  }

  Shape shape() const {
    std::vector<std::uint64_t> sizes;
    for (std::size_t mode = 0; mode < columns_.size(); ++mode) {
      const auto largest = std::ranges::max_element(columns_[mode]);
      const std::uint64_t found = largest == columns_[mode].end() ? 0 : std::uint64_t{*largest} + 1;
      sizes.push_back(std::max<std::uint64_t>({1, found, modes_[mode].labels.size(),
                                               table_.shape ? (*table_.shape)[static_cast<int>(mode)] : 0}));
    }
    return shape_for(options_, Shape(sizes));
  }

  const std::string& name_;
  const TableInMemory& table_;
  const ReadOptions& options_;
  std::vector<std::size_t> kept_;
  std::vector<Mode> modes_;
  std::vector<std::vector<Index>> columns_;
};

Dataset read_held(const std::string& name, const ArrayInMemory& array, const ReadOptions& options) {
  Dataset data = read_array({name, 0}, array.dimensions, CellOrder::c, options,
                            [&](const TakeNumbers& take) { for_each_block(array.values, take); });
  for (std::size_t mode = 0; mode < array.names.size(); ++mode) data.modes[mode].name = array.names[mode];
  return as_expected(name, std::move(data), options);
}

Dataset read_held(const std::string& name, const TableInMemory& table, const ReadOptions& options) {
  TableReader reader(name, table, options);
  reader.read(true);
  return reader.dataset();
}

Dataset read_held(const std::string& name, const ExamplesInMemory&, const ReadOptions&) {
  fail("{}: labelled examples, not a tensor", name);
}

Dataset read_held(const std::string& name, const TextInMemory&, const ReadOptions&) {
  fail("{}: a text, not a tensor", name);
}

}  // namespace

InMemory::InMemory(const std::string& name, DataInMemory data) {
  Register& all = memory_register();
  const std::lock_guard lock(all.mutex);
  path_ = path_of(++all.count, name);
  all.held.emplace(path_, Held{name, std::move(data)});
}

InMemory::~InMemory() {
  Register& all = memory_register();
  const std::lock_guard lock(all.mutex);
  all.held.erase(path_);
}

bool is_in_memory(std::string_view path) {
  static const std::string beginning = path_of(0, "").substr(0, path_of(0, "").find('0'));
  return path.starts_with(beginning);
}

FoundInMemory find_in_memory(const std::string& path) {
  Register& all = memory_register();
  const std::lock_guard lock(all.mutex);
  const auto found = all.held.find(path);
  if (found == all.held.end()) fail("{}: is no longer in memory", path);
  return {found->second.name, found->second.data};
}

Format format_in_memory(const std::string& path) {
  const FoundInMemory found = find_in_memory(path);
  const auto* table = std::get_if<TableInMemory>(&found.data);
  if (!table) return Format::npy;
  const bool labelled =
      std::ranges::any_of(table->modes, [](const auto& mode) { return mode.labels.has_value(); });
  if (labelled) return Format::csv;
  return table->shape ? Format::mtx : Format::tns;  // only .mtx states the sizes of its modes
}

std::string_view text_in_memory(const std::string& path) {
  const FoundInMemory found = find_in_memory(path);
  const auto* held = std::get_if<TextInMemory>(&found.data);
  if (!held) fail("{}: holds numbers, not a text", found.name);
  return held->text;
}

Dataset read_in_memory(const std::string& path, const ReadOptions& options) {
  const FoundInMemory found = find_in_memory(path);
  return std::visit([&](const auto& data) { return read_held(found.name, data, options); }, found.data);
}

CellList read_cells_in_memory(const std::string& path, const ReadOptions& options) {
  const FoundInMemory found = find_in_memory(path);
  const auto* table = std::get_if<TableInMemory>(&found.data);
  if (!table) fail("{}: an array is no list of cells; give one row per cell", found.name);
  TableReader reader(found.name, *table, options);
  reader.read(false);
  return reader.cells();
}

void for_each_block(const NumbersInMemory& numbers,
                    const std::function<void(std::span<const double>)>& take) {
  if (const auto* all = std::get_if<std::span<const double>>(&numbers)) return take(*all);
  constexpr std::size_t kBlock = 32768;  // fits into the L2 cache
  std::vector<double> block;
  for (auto left = std::get<std::span<const float>>(numbers); !left.empty();) {
    const auto part = left.first(std::min(kBlock, left.size()));
    block.assign(part.begin(), part.end());
    take(block);
    left = left.subspan(part.size());
  }
}

}  // namespace tulle
