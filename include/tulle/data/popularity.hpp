// Link prediction without a model: how active a position of the first mode is, times how often the
// combination of all other positions occurs. Factorizations are to be held against it.
#pragma once

#include <tulle/data/study.hpp>

#include <vector>

namespace tulle {

// A score for each cell, from the sums over the entries. Combinations without an entry rank below all others,
// by the position of the first mode.
std::vector<double> popularity(const SparseTensor& data, const Cells& cells);

// The same of a relation that has side tables over some of its indices, such as which user was at which
// place: cells of which all of them have a value above 0 rank before the others. Nothing where there is no
// such table.
std::optional<std::vector<double>> popularity_among_listed(const Study& study, int product,
                                                           const Cells& cells);

}  // namespace tulle
