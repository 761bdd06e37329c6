// Tensors of events for the tests of counts, and their methods without noise to speak of.
#pragma once

#include <tulle/job/jobs.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tulle::testing {

// Every cell with its count; those of 0 are listed too.
inline SparseTensor events_of(const Shape& shape, const std::vector<float>& counts) {
  SparseTensor events(shape, Unlisted::zero);
  std::array<Index, kMaxOrder> cell{};
  for (const float count : counts) {
    events.append(std::span(cell).first(static_cast<std::size_t>(shape.order())), count);
    for (int mode = shape.order() - 1; mode >= 0 && ++cell[mode] == shape[mode]; --mode) cell[mode] = 0;
  }
  return events;
}

// The expected counts of all cells, in C order, whichever form they have.
inline std::vector<double> cells_of(const Counts& counts) {
  const Shape shape = counts.shape();
  Cells all(shape);
  for (std::uint64_t place = 0; place < shape.cells(); ++place) {
    const auto cell = cell_of_place(shape, place);
    all.append(std::span(cell).first(static_cast<std::size_t>(shape.order())));
  }
  return counts.predict(all);
}

inline CountJob count_job(const char* method, const Budget& budget, std::uint64_t seed,
                          Relation relation = Relation::add_remove) {
  return {.method = method,
          .terms = {.budget = budget, .unit = Unit::event, .relation = relation, .seed = seed}};
}

}  // namespace tulle::testing
