#include "model_request.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

namespace tulle {
namespace {

constexpr int kDefaultRank = 8;

}  // namespace

ModelLayout layout_of(const PrivateRequest& request) {
  const FitOptions& fit = request.fit;
  const Shape& shape = request.data.shape();
  const int first = fit.ranks.empty() ? kDefaultRank : fit.ranks.front();
  if (fit.model == ModelKind::tucker)
    return ModelLayout::tucker(shape, fit.ranks.size() > 1
                                          ? fit.ranks
                                          : std::vector<int>(static_cast<std::size_t>(shape.order()), first));
  return ModelLayout::cp(shape, first);
}

int tubal_rank_of(const FitOptions& fit, const Shape& shape) {
  if (shape.order() < 3)
    fail_usage("a tubal model needs 3 modes or more, but this is a {} matrix; use a cp model for matrices",
               shape.text());
  if (fit.from) fail_usage("tubal does not start from a model; omit that model");
  return fit.ranks.empty() ? 0 : fit.ranks.front();
}

Standard standard_of(const Range& range) {
  return {range.middle(), range.width() / 2};
}

std::vector<double> random_numbers(const ModelLayout& layout, double deviation, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers(layout.size());
  for (double& number : numbers) number = deviation * random.normal();
  return numbers;
}

}  // namespace tulle
