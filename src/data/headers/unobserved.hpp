// Factor rows about which the data of a study contain no information.
#pragma once

#include <tulle/data/study.hpp>

namespace tulle {

// For every factor, the rows that no observed cell of any table depends on, in ascending order: positions if
// it has one entity, combinations of positions in C order if it has several. A core has none.
std::vector<std::vector<std::size_t>> unobserved_rows(const Study& study);

}  // namespace tulle
