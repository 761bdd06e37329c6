// FROSTT's .tns: positions from 1 and a value on every line, no header; '#' starts a comment.
#include "text/assemble.hpp"
#include "text/formats.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>

namespace tulle {
namespace {

constexpr char kTnsComment = '#';

// The layout of all lines, from the first line of data.
Listing inspect(LineChunks& chunks, const ReadOptions& options, bool cells_only) {
  const auto line = first_data_line(chunks, kTnsComment);
  const auto expected = expected_order(options);
  if (const auto order = expected ? expected : options.order; line.empty() && options.may_be_empty && order)
    return {*order, Listing::Values::parsed, kTnsComment, options.nan_is_missing, options.clamp_to_float32};
  if (line.empty()) fail("{}: no entries; give at least one line of positions and a value", chunks.name());
  const int columns = count_columns(line, kTnsComment);
  const bool has_values = !(cells_only && expected && columns == *expected);
  const int order = has_values ? columns - 1 : columns;
  const std::size_t number = chunks.dropped_lines() + 1;
  if (expected && order != *expected)
    fail("{}:{}: {} columns, but {} modes and a value make {}; is it the right file?", chunks.name(), number,
         columns, *expected, *expected + 1);
  if (order < kMinOrder || order > kMaxOrder)
    fail("{}:{}: {} columns; a line has {} to {} positions and a value, separated by blanks", chunks.name(),
         number, columns, kMinOrder, kMaxOrder);
  using Values = Listing::Values;
  return {order,
          !has_values  ? Values::none
          : cells_only ? Values::ignored
                       : Values::parsed,
          kTnsComment, options.nan_is_missing, options.clamp_to_float32};
}

EntryList read_entries(Source& source, const ReadOptions& options, bool cells_only, std::size_t chunk_bytes) {
  LineChunks chunks(source, Quotes::none, chunk_bytes);
  check_numbers_are_positions(chunks.name(), options);
  const Listing listing = inspect(chunks, options, cells_only);
  const Bounds bounds = bounds_of(options);
  const bool with_values = listing.values == Listing::Values::parsed;
  EntryList entries(chunks, listing.order, with_values);
  SpareBlocks spare(listing.order, with_values);
  for_each_chunk(
      chunks, [&](std::string_view text) { return parse_listing(text, listing, spare); },
      [&](EntryBlock&& block, std::size_t line) {
        entries.add(block, line, bounds);
        spare.put(std::move(block));
      });
  return entries;
}

}  // namespace

Dataset read_tns(Source& source, const ReadOptions& options, std::size_t chunk_bytes) {
  EntryList entries = read_entries(source, options, false, chunk_bytes);
  auto modes = options.known.empty() ? unnamed_modes(entries.order()) : options.known;
  return assemble(entries, std::move(modes), options);
}

CellList read_tns_cells(Source& source, const ReadOptions& options, std::size_t chunk_bytes) {
  EntryList entries = read_entries(source, options, true, chunk_bytes);
  auto modes = options.known.empty() ? unnamed_modes(entries.order()) : options.known;
  return assemble_cells(entries, std::move(modes), options);
}

void write_tns(Sink& sink, const Dataset& data) {
  write_listing(sink, data);
}

}  // namespace tulle
