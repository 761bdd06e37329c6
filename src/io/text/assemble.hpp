// Builds a dataset from the entries of a file, and checks the caller's expectations.
#pragma once

#include "text/entries.hpp"

#include <tulle/io/read.hpp>

#include <optional>
#include <vector>

namespace tulle {

// The number of modes that the known modes or the shape require; empty without these.
std::optional<int> expected_order(const ReadOptions& options);

// Refuses a file that numbers positions if the labels of a known mode are other numbers: the file does not
// show which of the two is meant.
void check_numbers_are_positions(const std::string& file, const ReadOptions& options);

// Positions must be within the shape, if one is given, and among the known labels, unless labels may be
// added.
Bounds bounds_of(const ReadOptions& options);

// The requested shape, or that of the positions found; the latter also in modes that accept any position.
Shape shape_for(const ReadOptions& options, const Shape& found);

// Checks that there are entries and that no cell is listed twice, unless such rows are to be merged.
Dataset assemble(EntryList& entries, std::vector<Mode> modes, const ReadOptions& options);
CellList assemble_cells(EntryList& entries, std::vector<Mode> modes, const ReadOptions& options);

}  // namespace tulle
