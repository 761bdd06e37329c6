#include "user_moments.hpp"

#include "released_directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

// Wide priors, for values in [-1, 1], which matter where the noise is large: a level of any user, a standard
// deviation of 0.3 +- 0.2, half of the positions +- 0.3. Of the variance around a user's mean, the variance
// of users' means is 0.4, give or take all of it.
constexpr double kLevelVariance = 1. / 3;
constexpr double kSpread = 0.3, kSpreadVariance = 0.04;
constexpr double kFilled = 0.5, kFilledVariance = 0.08;
constexpr double kBetweenUsers = 0.4;
constexpr double kVarianceError = 0.6;  // of a variance that is expected, relative

constexpr double kPairUnit = 1.5;  // weight of a count of two values relative to their product

constexpr int kVariations = 25;  // candidate standard deviations of values, evenly spaced in logarithms,
constexpr double kLeastVariation = 0.002;  // up to 1

// The posterior mean of a number that was seen with noise of a variance.
double posterior_of_number(double seen, double noise, double prior, double variance) {
  return (seen * variance + prior * noise) / (variance + noise);
}

struct ShrunkMeans {
  Vector values;
  double uncertainty;  // variance of the error of their centre
};

// Numbers that were seen with noise of known variances. They are normal around a centre, which is normal
// around 0 with a precision; how much they vary is averaged over, by marginal likelihood.
ShrunkMeans shrink_means(const Vector& seen, const Vector& noise, double precision) {
  std::vector<ShrunkMeans> each;
  std::vector<double> logs;
  for (int k = 0; k <= kVariations; ++k) {
    const double deviation = k == 0 ? 0 : std::pow(kLeastVariation, 1 - (k - 1.) / (kVariations - 1));
    const Eigen::ArrayXd variances = noise.array() + deviation * deviation;
    const double weight = (1 / variances).sum() + precision;
    const double centre = (seen.array() / variances).sum() / weight;
    const Eigen::ArrayXd apart = seen.array() - centre;
    each.push_back({centre + deviation * deviation * (apart / variances), 1 / weight});
    logs.push_back(-0.5 * (variances.log().sum() + (apart.square() / variances).sum() +
                           centre * centre * precision + std::log(weight)));
  }
  const double largest = std::ranges::max(logs);
  ShrunkMeans mean{Vector::Zero(seen.size()), 0};
  double total = 0;
  for (std::size_t k = 0; k < each.size(); ++k) {
    const double probability = std::exp(logs[k] - largest);
    mean.values += probability * each[k].values;
    mean.uncertainty += probability * each[k].uncertainty;
    total += probability;
  }
  return {mean.values / total, mean.uncertainty / total};
}

// How often positions, or pairs of them, occur: not below the noise, since one divides by it.
Vector occurrences(const Vector& seen, double deviation) {
  const double scale = std::max(seen.cwiseAbs().maxCoeff(), deviation);
  const Vector noise = Vector::Constant(seen.size(), deviation * deviation / (scale * scale));
  return (scale * shrink_means(seen / scale, noise, 0).values).cwiseMax(deviation);
}

struct PooledMean {
  double mean, variance;
};

PooledMean pooled_mean(const Vector& seen, const Vector& noise) {
  const double precision = noise.cwiseInverse().sum();
  return {seen.cwiseQuotient(noise).sum() / precision, 1 / precision};
}

// Means of products of values at pairs of positions, from pair sums.
struct PairAnswers {
  Vector squares, square_noise;    // of positions; the variances of errors
  Vector products, product_noise;  // of pairs of two, in the order of the sums
};

// Error variances of means, which are sums divided by counts: the variance of the noise, and that of a
// product of two values divided by the number of users, which is about `users` on average.
Vector error_variances(double deviation, const Vector& counts, double of_product, double users) {
  const Vector sizes = (users / counts.mean() * counts).cwiseMax(1);
  return (deviation * counts.cwiseInverse()).cwiseAbs2() + of_product * sizes.cwiseInverse();
}

// `variance`: of a value around its mean, about.
PairAnswers pairs_of(const UserPilot& pilot, std::span<const double> sums, Eigen::Index positions,
                     double deviation, double variance) {
  const double unit = pair_unit(pilot);
  const Eigen::Index two = positions * (positions - 1) / 2;
  Vector squares(positions), singles(positions), products(two), both(two);
  const std::size_t half = sums.size() / 2;
  std::size_t at = 0;
  for (Eigen::Index i = 0, pair = 0; i < positions; ++i) {
    squares[i] = sums[at], singles[i] = sums[half + at++] / unit;
    for (Eigen::Index j = i + 1; j < positions; ++j, ++pair)
      products[pair] = sums[at] / kPairTwice, both[pair] = sums[half + at++] / (unit * kPairTwice);
  }
  const double of_two = deviation / kPairTwice;
  singles = occurrences(singles, deviation / unit);
  PairAnswers pairs{squares.cwiseQuotient(singles),
                    error_variances(deviation, singles, 2 * variance * variance, pilot.users * pilot.filled),
                    {},
                    {}};
  if (two == 0) return pairs;
  both = occurrences(both, of_two / unit);
  pairs.products = products.cwiseQuotient(both);
  pairs.product_noise =
      error_variances(of_two, both, variance * variance, pilot.users * pilot.filled * pilot.filled);
  return pairs;
}

// The common mean of squares is pooled from all of them and the pilot; each square is then shrunk towards it.
Vector variances_of(const PairAnswers& pairs, double expected, double least) {
  const PooledMean seen = pooled_mean(pairs.squares, pairs.square_noise);
  const double prior = std::pow(kVarianceError * expected, 2);
  const double mean = std::max(posterior_of_number(seen.mean, seen.variance, expected, prior), least);
  const Eigen::ArrayXd apart = pairs.squares.array() - seen.mean;
  const double between = std::max(0.0, (apart.square() - pairs.square_noise.array()).mean());
  const Eigen::ArrayXd around = pairs.squares.array() - mean;
  return (mean + between / (between + pairs.square_noise.array() + 1e-12) * around).max(0.2 * mean);
}

// Directions of products less the part that users' levels explain. Pairs that are rarer than most have
// smaller weights.
Matrix directions_of(const PairAnswers& pairs, double level, Eigen::Index positions,
                     std::optional<int> most) {
  Vector sorted = pairs.product_noise;
  const auto middle = sorted.data() + sorted.size() / 2;
  std::nth_element(sorted.data(), middle, sorted.data() + sorted.size());
  const double usual = *middle;
  Matrix seen = Matrix::Zero(positions, positions), weights = seen;
  for (Eigen::Index i = 0, pair = 0; i < positions; ++i)
    for (Eigen::Index j = i + 1; j < positions; ++j, ++pair) {
      seen(i, j) = seen(j, i) = pairs.products[pair] - level;
      weights(i, j) = weights(j, i) = std::min(1.0, usual / pairs.product_noise[pair]);
    }
  return released_directions(seen, weights, std::sqrt(pairs.product_noise.cwiseMin(usual).mean()), most);
}

// The common error of the means is common to all users' levels.
double variance_of_levels(const UserPilot& pilot, const PositionMeans& means) {
  return kBetweenUsers * pilot.spread * pilot.spread + means.uncertainty;
}

UserCovariance level_alone(const UserPilot& pilot, const PositionMeans& means, const Vector& variances) {
  const double level = std::min(variance_of_levels(pilot, means), 0.95 * variances.mean());
  return {Matrix::Constant(variances.size(), 1, std::sqrt(level)),
          (variances.array() - level).max(0.1 * variances.array())};
}

}  // namespace

UserPilot user_pilot(std::span<const double> sums, double deviation, double positions) {
  const double scale = std::sqrt(UserPilot::kSquare);
  const double users = std::max(scale * sums[0], 1.0), several = std::max(scale * sums[3], 1.0);
  const double noise = std::pow(scale * deviation / users, 2),
               of_several = std::pow(scale * deviation / several, 2);
  const double level = posterior_of_number(scale * sums[1] / users, noise, 0, kLevelVariance);
  const double filled = posterior_of_number(scale * sums[2] / users, noise, kFilled, kFilledVariance);
  const double spread = posterior_of_number(scale * sums[4] / several, of_several, kSpread, kSpreadVariance);
  return {users, std::clamp(level, -1.0, 1.0), kLevelVariance * noise / (kLevelVariance + noise),
          std::clamp(filled, 1 / positions, 1.0), std::clamp(spread, 0.03, 0.7)};
}

PositionMeans position_means(const UserPilot& pilot, std::span<const double> sums, double deviation) {
  const auto positions = static_cast<Eigen::Index>(sums.size() / 2);
  Vector values(positions), counts(positions);
  for (Eigen::Index i = 0; i < positions; ++i)
    values[i] = sums[2 * i], counts[i] = sums[2 * i + 1] / pilot.spread;
  counts = occurrences(counts, deviation / pilot.spread);
  // An error of a count makes one of the mean in proportion to the mean itself.
  const double mean = values.sum() / counts.sum() / pilot.spread;
  const double of_users = 2 * pilot.spread * pilot.spread / std::max(pilot.users * pilot.filled, 1.0);
  const Vector noise =
      (deviation * deviation * (1 + mean * mean) * counts.cwiseAbs2().cwiseInverse()).array() + of_users;
  const ShrunkMeans shrunk = shrink_means(values.cwiseQuotient(counts), noise, 1 / pilot.uncertainty);
  return {shrunk.values, shrunk.uncertainty, counts};
}

PairCounts pair_counts(const UserPilot& pilot, std::span<const double> sums, double deviation) {
  const std::span<const double> presence = sums.subspan(sums.size() / 2);
  PairCounts counts{{presence.begin(), presence.end()}, deviation / pair_unit(pilot)};
  for (double& sum : counts.sums) sum /= pair_unit(pilot);
  return counts;
}

// A user with m of J positions writes m^2 products of two values, of size s^2, and as many counts of them: a
// vector of length c m s^2, c^2 = 1 + 1.5^2. Of n users with the share f of all positions, the mean of a
// product of two then has noise d c J s^2 / (sqrt(2) n f), whose eigenvalues reach 2 sqrt(J) of that. A
// direction that has a share of how values vary has that share of J s^2.
bool pairs_pay(const UserPilot& pilot, double positions, double deviation) {
  constexpr double kShare = 0.25;
  const double length = std::sqrt((1 + kPairUnit * kPairUnit) / 2);
  return kShare * pilot.users * pilot.filled > 2 * std::sqrt(positions) * deviation * length;
}

double pair_unit(const UserPilot& pilot) {
  return kPairUnit * pilot.spread * pilot.spread;
}

UserCovariance expected_covariance(const UserPilot& pilot, const PositionMeans& means) {
  const double variance = pilot.spread * pilot.spread + variance_of_levels(pilot, means);
  return level_alone(pilot, means, Vector::Constant(means.values.size(), variance));
}

UserCovariance user_covariance(const UserPilot& pilot, const PositionMeans& means,
                               std::span<const double> sums, double deviation, std::optional<int> most) {
  const Eigen::Index positions = means.values.size();
  const double within = pilot.spread * pilot.spread, between = variance_of_levels(pilot, means);
  const PairAnswers pairs = pairs_of(pilot, sums, positions, deviation, within + between);
  const Vector variances = variances_of(pairs, within + between, 0.1 * within);
  if (pairs.products.size() == 0) return level_alone(pilot, means, variances);
  const PooledMean seen = pooled_mean(pairs.products, pairs.product_noise);
  const double level = std::clamp(posterior_of_number(seen.mean, seen.variance, between, between * between),
                                  0.0, 0.95 * variances.mean());
  const Matrix columns = directions_of(pairs, level, positions, most);
  UserCovariance covariance{Matrix(positions, 1 + columns.cols()), {}};
  covariance.factors << Vector::Constant(positions, std::sqrt(level)), columns;
  covariance.own = (variances - covariance.factors.rowwise().squaredNorm()).cwiseMax(0.1 * variances);
  return covariance;
}

}  // namespace tulle
