// Link prediction without a model: the activity of a position of the first mode, times the frequency of the
// combination of all other positions. A baseline for factorizations.
#pragma once

#include <tulle/data/study.hpp>

#include <vector>

namespace tulle {

// A score for each cell, from the sums over the entries. Combinations without an entry rank below all others,
// ordered by the position of the first mode.
std::vector<double> popularity(const SparseTensor& data, const Cells& cells);

// The same for a relation with side tables over some of its indices, such as which user was at which place:
// cells for which all of these have a value above 0 rank before the others. Nothing without one.
std::optional<std::vector<double>> popularity_among_listed(const Study& study, int product,
                                                           const Cells& cells);

}  // namespace tulle
