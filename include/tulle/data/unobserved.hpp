// What the data of a study say nothing about.
#pragma once

#include <tulle/data/study.hpp>

namespace tulle {

// Of every factor the rows that no observed cell of any table depends on, in ascending order: of one entity
// its positions, of several their combinations in C order. A core has none.
std::vector<std::vector<std::size_t>> unobserved_rows(const Study& study);

}  // namespace tulle
