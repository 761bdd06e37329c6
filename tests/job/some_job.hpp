// A private completion of a dozen cells.
#pragma once

#include <tulle/job/jobs.hpp>

namespace tulle::samples {

inline SparseTensor some_cells() {
  SparseTensor cells(Shape{4, 3, 2}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j)
      cells.append(std::array<Index, 3>{i, j, (i + j) % 2}, static_cast<float>(i + j) / 6);
  return cells;
}

inline CompletionJob private_job() {
  return {.method = "input",
          .terms = {.budget = {2, 0}, .range = {0, 1}, .seed = 3},
          .fit = {.ranks = {1}, .max_iterations = 3, .seed = 1}};
}

}  // namespace tulle::samples
