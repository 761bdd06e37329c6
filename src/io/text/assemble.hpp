// From the entries of a file to a dataset, under what the caller expects of it.
#pragma once

#include "text/entries.hpp"

#include <tulle/io/read.hpp>

#include <optional>
#include <vector>

namespace tulle {

// The order that the known modes or the shape ask for.
std::optional<int> expected_order(const ReadOptions& options);

// Refuses to read a file that calls positions by number where the labels of a known mode are other numbers:
// which of the two is meant does not show.
void check_numbers_are_positions(const std::string& file, const ReadOptions& options);

// Positions lie in the shape if it was given, and among the known labels unless they may grow.
Bounds bounds_of(const ReadOptions& options);

// The shape that was asked for, or that of what was found; the latter also in modes where any position will
// do.
Shape shape_for(const ReadOptions& options, const Shape& found);

// Checks that there are entries and that no cell is listed twice, unless such rows are to be merged.
Dataset assemble(EntryList& entries, std::vector<Mode> modes, const ReadOptions& options);
CellList assemble_cells(EntryList& entries, std::vector<Mode> modes, const ReadOptions& options);

}  // namespace tulle
