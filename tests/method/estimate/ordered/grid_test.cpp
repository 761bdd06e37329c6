#include "estimate/ordered/grid.hpp"

#include <tulle/base/random.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

namespace tulle {
namespace {

// Effects on a grid with an order along every axis, seen with Gaussian noise.
struct Seen {
  std::vector<Index> sizes;
  std::vector<double> effects = {};
  std::vector<SeenEffect> values = {};
  std::vector<std::size_t> places = {};

  Seen(std::vector<Index> of, const std::function<double(Index, Index)>& effect, double stddev)
      : sizes(std::move(of)) {
    Random random(1);
    for (Index i = 0; i < sizes[0]; ++i)
      for (Index j = 0; j < (sizes.size() > 1 ? sizes[1] : 1); ++j) {
        effects.push_back(effect(i, j));
        values.push_back({effects.back() + stddev * random.normal(), stddev * stddev, 0});
        places.push_back(places.size());
      }
  }

  SmoothedGrid smoothed(double most = 0.4) const {
    std::vector<ModeAxes> modes;
    for (const Index size : sizes) modes.push_back(axes_of({}, size));
    return OrderedGrid(std::move(modes), false).smooth(places, values, shrink(values, most).means, most);
  }
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double wave(Index i, Index) {
  return 0.1 * std::sin(0.2 * i);
}

TEST(OrderedGrid, SmoothsWhatChangesSlowly) {
  const Seen seen(
      {300}, [](Index i, Index) { return 0.1 * std::sin(0.06 * i); }, 0.1);
  const SmoothedGrid found = seen.smoothed();
  EXPECT_GT(found.smooth, 0.99);
  EXPECT_LT(distance(found.effects, seen.effects),
            0.6 * distance(shrink(seen.values, 0.4).means, seen.effects));
}

TEST(OrderedGrid, LeavesAloneWhatHasNoOrder) {
  Random random(7);
  const Seen seen(
      {30, 40}, [&](Index, Index) { return 0.1 * random.normal(); }, 0.05);
  const SmoothedGrid found = seen.smoothed();
  EXPECT_LT(found.smooth, 0.1);
  EXPECT_LT(distance(found.effects, shrink(seen.values, 0.4).means), 0.002);
}

TEST(OrderedGrid, TellsAlongWhichAxisNeighboursAreAlike) {
  std::vector<double> phases;
  Random random(3);
  for (int j = 0; j < 40; ++j) phases.push_back(6.3 * random.uniform());
  const Seen seen(
      {60, 40}, [&](Index i, Index j) { return 0.1 * std::sin(0.2 * i + phases[j]); }, 0.1);
  const SmoothedGrid found = seen.smoothed();
  EXPECT_GT(found.along[0], 0.99);
  EXPECT_LT(found.along[1], 0.1);
}

// The same by dense matrices: every covariance a matrix, every evidence a determinant.
TEST(OrderedGrid, IsThePosteriorMeanUnderTheirCovariances) {
  constexpr int kSize = 12;
  constexpr double kStddev = 0.03, kMost = 0.4;
  const Seen seen({kSize}, wave, kStddev);
  const OrderedAxis axis = axes_of({}, kSize).axes[0];
  const Eigen::VectorXd values = [&] {
    Eigen::VectorXd values(kSize);
    for (int i = 0; i < kSize; ++i) values[i] = seen.values[static_cast<std::size_t>(i)].value;
    return Eigen::VectorXd(values.array() - values.mean());  // the mean belongs to another margin
  }();
  std::vector<std::pair<double, Eigen::VectorXd>> smooth;
  std::vector<double> independent;
  const auto of = [&](double length, int power, double part, double scale) {
    Eigen::ArrayXd shape = (1 + length * length * axis.roughness.array()).pow(-power);
    shape[0] = 0;
    shape /= shape.sum() / (kSize - 1);
    shape = scale * scale * ((1 - part) * shape + part);
    shape[0] = 0;
    const Eigen::MatrixXd kernel = axis.waves * shape.matrix().asDiagonal() * axis.waves.transpose();
    const Eigen::MatrixXd total = kernel + kStddev * kStddev * Eigen::MatrixXd::Identity(kSize, kSize);
    const Eigen::MatrixXd lower = cholesky(total);
    const Vector solved = solve_positive(total, Vector(values));
    return std::pair(-Eigen::VectorXd(lower.diagonal()).array().log().sum() - 0.5 * values.dot(solved),
                     Eigen::VectorXd(kernel * solved));
  };
  for (int step = 0; step < 8; ++step) {
    const double scale = 0.004 * std::pow(kMost / 0.004, step / 7.0);
    independent.push_back(of(0, 1, 0, scale).first);
    for (const int power : {1, 2})
      for (const double part : {0.0, 0.1, 0.5})
        for (const double length : {1.0, 2.0, 4.0, 8.0}) smooth.push_back(of(length, power, part, scale));
  }
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kSize);
  double all = 0, without = 0;
  for (const auto& [evidence, effects] : smooth)
    mean += std::exp(evidence) * effects, all += std::exp(evidence);
  for (const double evidence : independent) without += std::exp(evidence) / 8;
  const double probability =
      all / static_cast<double>(smooth.size()) / (all / static_cast<double>(smooth.size()) + without);
  std::vector<ModeAxes> modes{axes_of({}, kSize)};
  const std::vector<double> nothing(kSize);
  const SmoothedGrid found =
      OrderedGrid(std::move(modes), false).smooth(seen.places, seen.values, nothing, kMost);
  EXPECT_NEAR(found.smooth, probability, 0.03);
  mean *= probability / all;
  // Waves that are about as rough are taken together.
  for (int i = 0; i < kSize; ++i)
    EXPECT_NEAR(found.effects[static_cast<std::size_t>(i)], mean[i], 0.05 * mean.norm());
}

// Neighbours say what it is.
TEST(OrderedGrid, FillsInWhatIsNotSeen) {
  Seen seen({80}, wave, 0.02);
  for (const std::size_t place : {20u, 41u, 60u}) {
    seen.places.erase(std::ranges::find(seen.places, place));
    seen.values.pop_back();
  }
  for (std::size_t i = 0; i < seen.values.size(); ++i) seen.values[i].value = seen.effects[seen.places[i]];
  const SmoothedGrid found = seen.smoothed();
  for (const std::size_t place : {20u, 41u, 60u})
    EXPECT_NEAR(found.effects[place], seen.effects[place], 0.03);
}

}  // namespace
}  // namespace tulle
