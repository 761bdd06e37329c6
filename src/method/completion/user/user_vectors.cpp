#include "user_vectors.hpp"

#include "user_sums.hpp"

#include <tulle/base/unit_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {

std::vector<double> sums_of_user_vectors(const UserCells& data, double most_users, std::size_t numbers,
                                         std::size_t block_size, const WriteUserVector& write) {
  const UserScale scale(1, numbers, most_users);
  const SumGrid& grid = scale.grid();
  return add_up_blocks(data.users(), block_size, [&](std::size_t first, std::size_t last) {
    std::vector<double> sums(numbers);
#pragma omp parallel if ((last - first) * numbers > kWorthThreads)
    {
      std::vector<double> own(numbers), part(numbers);
#pragma omp for schedule(static)
      for (std::size_t user = first; user < last; ++user) {
        if (data.count(user) == 0) continue;
        std::ranges::fill(own, 0.0);
        write(user, own);
        const double square = std::inner_product(own.begin(), own.end(), own.begin(), 0.0);
        const double weight = scale.weight(std::sqrt(square));
        if (weight == 0) continue;
        for (std::size_t i = 0; i < numbers; ++i) part[i] += grid.round(weight * own[i]);
      }
#pragma omp critical(tulle_user_vectors)
      for (std::size_t i = 0; i < numbers; ++i) sums[i] += part[i];
    }
    return sums;
  });
}

Noisy combined(Noisy one, const Noisy& other) {
  const double precision = 1 / (one.deviation * one.deviation),
               added = 1 / (other.deviation * other.deviation);
  for (std::size_t i = 0; i < one.values.size(); ++i)
    one.values[i] = (precision * one.values[i] + added * other.values[i]) / (precision + added);
  one.deviation = 1 / std::sqrt(precision + added);
  return one;
}

}  // namespace tulle
