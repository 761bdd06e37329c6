#include "random_units.hpp"

#include "network_steps.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

// Standard deviations of w x (in norms of x) and of b. Not tuned.
constexpr double kGain = 1.5, kOffset = 0.3;

// Mean and mean square of max(0, N(b, s^2)).
struct Rectified {
  double mean, square;
};

Rectified rectified(double b, double s) {
  const double t = b / s, density = std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = 0.5 * std::erfc(-t / std::numbers::sqrt2);
  return {b * below + s * density, (b * b + s * s) * below + b * s * density};
}

const float kHalf = std::sqrt(0.5f);  // of a squared norm

// Units have norm kUnitNorm, values sqrt(d).
float length_of_units(Eigen::Index features) {
  return kHalf * std::sqrt(static_cast<float>(features)) / static_cast<float>(kUnitNorm);
}

}  // namespace

RandomUnits random_units(const FloatVector& centre, int units, std::uint64_t seed) {
  Random random(seed, 7);
  RandomUnits result{{FloatMatrix(centre.size(), units), FloatVector(units)}, FloatVector(units), 1};
  for (float& weight : result.layer.weights.reshaped<Eigen::RowMajor>())
    weight = static_cast<float>(kGain * random.normal());
  // Vectors of norm 1, centred, have the mean squared norm 1 - |mean|^2.
  const double spread = kGain * std::sqrt(std::max(0.01, 1 - static_cast<double>(centre.squaredNorm())));
  double variance = 0;
  for (int unit = 0; unit < units; ++unit) {
    const double offset = kOffset * random.normal();
    const Rectified expected = rectified(offset, spread);
    result.means[unit] = static_cast<float>(expected.mean);
    variance += expected.square - expected.mean * expected.mean;
    result.layer.bias[unit] =
        static_cast<float>(offset - static_cast<double>(centre.dot(result.layer.weights.col(unit))));
  }
  result.scale = static_cast<float>(kUnitNorm / std::sqrt(variance));
  return result;
}

FloatMatrix RandomUnits::of(const FloatMatrix& x) const {
  FloatMatrix result(x.rows(), layer.weights.cols());
  row_products(x, PackedColumns(layer.weights), result);
  result.rowwise() += layer.bias;
  activate(Activation::relu, result);
  result.rowwise() -= means;
  result *= scale;
  return result;
}

FloatMatrix ValuesAndUnits::of(const FloatMatrix& x) const {
  const Eigen::Index features = x.cols();
  FloatMatrix result(x.rows(), features + units.means.size());
  result.leftCols(features) = kHalf * x;
  result.rightCols(units.means.size()) =
      units.of(x / std::sqrt(static_cast<float>(features))) * length_of_units(features);
  return result;
}

std::vector<NetworkLayer> joined(const ValuesAndUnits& both, const NetworkLayer& last) {
  const Eigen::Index units = both.units.means.size(), classes = last.weights.cols();
  const Eigen::Index features = last.weights.rows() - units;
  const auto alone =
      joined(both.units, {last.weights.bottomRows(units) * length_of_units(features), last.bias});
  const FloatMatrix scores = kHalf * last.weights.topRows(features);
  // The part that bypasses the units, as max(0, z) - max(0, -z): the values, or their scores if there are
  // fewer classes than values.
  const Eigen::Index passing = std::min(features, classes), hidden = units + 2 * passing;
  const FloatMatrix same = FloatMatrix::Identity(passing, passing);
  const FloatMatrix& before = features < classes ? same : scores;
  const FloatMatrix& after = features < classes ? scores : same;
  NetworkLayer first{FloatMatrix(features, hidden), FloatVector::Zero(hidden)};
  first.weights << alone[0].weights / std::sqrt(static_cast<float>(features)), before, -before;
  first.bias.head(units) = alone[0].bias;
  NetworkLayer second{FloatMatrix(hidden, classes), alone[1].bias};
  second.weights << alone[1].weights, after, -after;
  return {std::move(first), std::move(second)};
}

void check_random_units(const ClassificationRequest& request, std::string_view method) {
  if (request.options.activation != Activation::relu)
    fail_usage("method {} has units of activation relu alone; omit the activation", method);
  if (request.options.hidden && request.options.hidden->size() > 1)
    fail_usage("method {} has one hidden layer at most; give the number of its units, or 0 for none", method);
  layout_for(request, {});
}

std::optional<int> units_asked(const ClassificationOptions& options) {
  if (!options.hidden) return std::nullopt;
  return options.hidden->empty() ? 0 : options.hidden->front();
}

std::vector<NetworkLayer> joined(const RandomUnits& units, NetworkLayer last) {
  last.weights *= units.scale;
  last.bias -= units.means * last.weights;
  return {units.layer, std::move(last)};
}

}  // namespace tulle
