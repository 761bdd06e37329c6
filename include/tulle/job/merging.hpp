// The guarantee for data whose rows of one cell were merged (tensor/merge_duplicates.hpp). docs/privacy.md
// has the proof.
#pragma once

#include <tulle/privacy/unit.hpp>
#include <tulle/tensor/merge_duplicates.hpp>

#include <string>

#pragma GCC visibility push(default)

namespace tulle {

// A UsageError if one row may change the merged data by more than the unit and the relation allow: entries
// under add-remove and zero-out. Adding or removing a row changes the value of its cell, which under these
// relations is the removal of one entry and the addition of another. Depends on public choices only.
void check_merging(Duplicates duplicates, Unit unit, Relation relation);

std::string merging(Duplicates duplicates);  // "rows of one cell are merged into .."
// The public fact that a guarantee states if rows were merged.
std::string merging_fact(Duplicates duplicates, Unit unit);

}  // namespace tulle

#pragma GCC visibility pop
