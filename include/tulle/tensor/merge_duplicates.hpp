// Rows of a file that list the same cell.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace tulle {

std::string_view name(Duplicates duplicates);
Duplicates duplicates_of(std::string_view name);  // a UsageError for any other name

// Merges the rows of every cell into one, in the order of the list and in float64, and sorts the cells. The
// result then depends only on the rows of each cell, not on how rows of different cells are interleaved: in
// the order of first rows, cells would move with the number of rows of one cell, which a private run
// protects. A sum beyond float32 is an Error that begins with `where`, or is clamped to the largest float32.
void merge_duplicates(Dataset& data, Duplicates duplicates, const std::string& where, bool clamp_to_float32);

}  // namespace tulle

#pragma GCC visibility pop
