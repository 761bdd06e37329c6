#include <tulle/base/error.hpp>
#include <tulle/job/ranks.hpp>

#include <algorithm>
#include <limits>

namespace tulle {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

// Unfolding a tensor along its largest mode gives a matrix whose smaller side no CP rank needs to exceed.
double largest_cp_rank(const std::vector<double>& sizes) {
  double product = 1;
  const auto largest = std::ranges::max_element(sizes);
  for (auto size = sizes.begin(); size != sizes.end(); ++size)
    if (size != largest) product *= *size;
  return product;
}

}  // namespace

void check_ranks(const FitOptions& fit, const Shape& shape, std::optional<int> unknown_mode) {
  if (fit.ranks.empty()) return;
  std::vector<double> sizes(shape.dimensions().begin(), shape.dimensions().end());
  if (unknown_mode) sizes[static_cast<std::size_t>(*unknown_mode)] = kUnknown;
  const int largest = std::ranges::max(fit.ranks);
  if (fit.model == ModelKind::cp && largest > largest_cp_rank(sizes))
    fail_usage("rank {} is beyond this tensor: no cp model of it needs more than {}", largest,
               largest_cp_rank(sizes));
  if (fit.model == ModelKind::tubal && sizes.size() >= 2 && largest > std::min(sizes[0], sizes[1]))
    fail_usage("rank {} is beyond this tensor: a tubal model of it has {} at most", largest,
               std::min(sizes[0], sizes[1]));
  if (fit.model != ModelKind::tucker) return;
  for (std::size_t mode = 0; mode < sizes.size(); ++mode) {
    const int rank = fit.ranks.size() == 1     ? fit.ranks.front()
                     : mode < fit.ranks.size() ? fit.ranks[mode]
                                               : 1;
    if (rank > sizes[mode])
      fail_usage("rank {} is beyond mode {} of this tensor, which has {} positions; give one rank per mode",
                 rank, mode + 1, sizes[mode]);
  }
}

}  // namespace tulle
