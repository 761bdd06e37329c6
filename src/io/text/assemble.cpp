#include "text/assemble.hpp"

#include "text/duplicates.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {
namespace {

Shape shape_of(const EntryList& entries, const std::vector<Mode>& modes, const ReadOptions& options) {
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < entries.order(); ++mode)
    sizes.push_back(std::max<std::uint64_t>({1, entries.largest()[mode], modes[mode].labels.size()}));
  return shape_for(options, Shape(sizes));
}

void check_any(const EntryList& entries, const ReadOptions& options) {
  if (entries.size() == 0 && !options.may_be_empty)
    fail("{}: no entries; give at least one cell", entries.file());
}

void check_duplicates(const Cells& cells, const std::vector<Mode>& modes, const EntryList& entries) {
  const auto twins = first_duplicate(cells);
  if (!twins) return;
  std::vector<std::string> names;
  for (int mode = 0; mode < cells.order(); ++mode)
    names.push_back(position_name(modes[mode], cells(twins->second, mode)));
  fail(
      "{}:{}: cell ({}) was given in line {} already; keep one of the two[, or have them merged (@duplicates "
      "mean, last, sum or count)]",
      entries.file(), entries.line_of(twins->second), fmt::join(names, ", "), entries.line_of(twins->first));
}

}  // namespace

std::optional<int> expected_order(const ReadOptions& options) {
  const int known = static_cast<int>(options.known.size());
  if (!options.shape) return known > 0 ? std::optional(known) : std::nullopt;
  const Shape& shape = *options.shape;
  if (known > 0 && known != shape.order())
    fail_usage("{} modes are known, but the shape {} has {}", known, shape.text(), shape.order());
  for (int mode = 0; mode < known; ++mode)
    if (options.known[mode].labels.size() > shape[mode])
      fail_usage("mode {} has {} labels, more than its size in the shape {}", mode + 1,
                 options.known[mode].labels.size(), shape.text());
  return shape.order();
}

void check_numbers_are_positions(const std::string& file, const ReadOptions& options) {
  for (const Mode& mode : options.known) {
    const auto is_number = [](const std::string& label) {
      return !label.empty() && label.find_first_not_of("0123456789") == std::string::npos;
    };
    if (mode.labels.empty() || !std::ranges::all_of(mode.labels, is_number)) continue;
    for (std::size_t position = 0; position < mode.labels.size(); ++position)
      if (mode.labels[position] != fmt::format("{}", position + 1))
        fail(
            "{}: the labels of {} are numbers, but not those of its positions ({} is labelled '{}'); give "
            "CSV, which uses labels",
            file, shortened(mode.name), position + 1, mode.labels[position]);
  }
}

Bounds bounds_of(const ReadOptions& options) {
  Bounds bounds;
  bounds.fill(kMaxDimension);
  for (std::size_t mode = 0; mode < options.known.size(); ++mode)
    if (!options.grow && !options.known[mode].labels.empty())
      bounds[mode] = options.known[mode].labels.size();
  if (options.shape)
    std::copy(options.shape->dimensions().begin(), options.shape->dimensions().end(), bounds.begin());
  for (std::size_t mode = 0; mode < options.known.size(); ++mode)
    if (options.known[mode].any) bounds[mode] = kMaxDimension;
  return bounds;
}

Shape shape_for(const ReadOptions& options, const Shape& found) {
  if (!options.shape) return found;
  std::vector<std::uint64_t> sizes(options.shape->dimensions().begin(), options.shape->dimensions().end());
  for (std::size_t mode = 0; mode < options.known.size(); ++mode)
    if (options.known[mode].any) sizes[mode] = found[static_cast<int>(mode)];
  return Shape(sizes);
}

Dataset assemble(EntryList& entries, std::vector<Mode> modes, const ReadOptions& options) {
  check_any(entries, options);
  auto [columns, values] = entries.take();
  Cells cells(shape_of(entries, modes, options), std::move(columns));
  if (options.duplicates == Duplicates::refuse) check_duplicates(cells, modes, entries);
  return {std::move(modes), SparseTensor(std::move(cells), std::move(values), options.unlisted)};
}

CellList assemble_cells(EntryList& entries, std::vector<Mode> modes, const ReadOptions& options) {
  check_any(entries, options);
  Cells cells(shape_of(entries, modes, options), entries.take().first);
  return {std::move(modes), std::move(cells)};
}

}  // namespace tulle
