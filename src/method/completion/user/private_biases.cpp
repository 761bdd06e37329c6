#include "private_biases.hpp"

#include <tulle/base/chunks.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

constexpr int kGrid = 60;  // W is 0, or near one of so many values: a mixture of narrow Gaussians
constexpr int kMixingSteps = 100;
constexpr Eigen::Index kLearnFrom = 20000;  // positions, evenly spaced, are enough for four numbers
constexpr std::size_t kLearnChunk = 256;    // positions whose likelihoods are added up before the others'

struct Trend {
  double deviation;   // of offsets around the trend
  double top, slope;  // the trend: top at the largest W, and the slope in log W
};

class Positions {
 public:
  explicit Positions(const NoisyPositions& released) : data_(released) {
    const double largest = std::ranges::max(released.counts);
    const double least = 0.1 * data_.weight;
    const double most = std::max(largest, 10 * least);
    grid_[0] = 0;
    for (int k = 1; k < kGrid; ++k) grid_[k] = least * std::pow(most / least, (k - 1) / (kGrid - 2.0));
    spreads_[0] = 0;
    for (int k = 1; k < kGrid; ++k) spreads_[k] = (grid_[k] - grid_[k - 1]) / 2;
    learn_mixture();
  }

  PositionPosteriors posteriors() const {
    const Trend trend = best_trend();
    const auto size = static_cast<Eigen::Index>(data_.sums.size());
    PositionPosteriors posteriors{Vector(size), Vector(size)};
    Vector expected(size);
#pragma omp parallel for if (size > 1000)
    for (Eigen::Index j = 0; j < size; ++j) {
      const Posterior posterior = posterior_of(near(j), data_.sums[j], trend);
      posteriors.offsets[j] = posterior.offset;
      posteriors.popularity[j] = posterior.log;
      expected[j] = posterior.count;
    }
    const Vector share = expected / std::max(expected.sum(), 1e-300);
    posteriors.offsets.array() -= share.dot(posteriors.offsets);
    posteriors.popularity.array() -= share.dot(posteriors.popularity);
    posteriors.popularity /= std::sqrt(std::max(share.dot(posteriors.popularity.cwiseAbs2()), 1e-12));
    return posteriors;
  }

 private:
  struct Posterior {
    double likelihood, offset, count, log;
  };
  // The posterior of the W of one position given its count alone: one value near each value of the grid.
  struct Near {
    std::array<double, kGrid> weight, log, probability;
  };

  double count_variance(int k) const {
    return data_.count_deviation * data_.count_deviation + spreads_[k] * spreads_[k];
  }
  double count_likelihood(double count, int k) const {
    const double distance = count - grid_[k];
    return std::exp(-0.5 * distance * distance / count_variance(k)) / std::sqrt(count_variance(k));
  }
  // W if it is near the value k; how uncertain it still is then matters little.
  double weight_near(double count, int k) const {
    return std::max(0.0, grid_[k] + spreads_[k] * spreads_[k] / count_variance(k) * (count - grid_[k]));
  }
  double log_of(double weight) const {
    return std::log(weight / data_.weight + 5);
  }

  // EM for how likely each value of the grid is, on counts rounded to an eighth of their deviation.
  void learn_mixture() {
    const double width = data_.count_deviation / 8;
    const double from = std::ranges::min(data_.counts);
    const std::size_t bins = std::min<std::size_t>(
        static_cast<std::size_t>((std::ranges::max(data_.counts) - from) / width) + 1, std::size_t{1} << 14);
    const double step = (std::ranges::max(data_.counts) - from) / static_cast<double>(bins);
    std::vector<double> histogram(bins);
    for (double count : data_.counts)
      ++histogram[std::min(bins - 1, static_cast<std::size_t>((count - from) / std::max(step, 1e-300)))];
    Eigen::ArrayXXd likelihood(kGrid, static_cast<Eigen::Index>(bins));
    for (std::size_t b = 0; b < bins; ++b)
      for (int k = 0; k < kGrid; ++k)
        likelihood(k, b) = count_likelihood(from + (static_cast<double>(b) + 0.5) * step, k) + 1e-300;
    Eigen::ArrayXd mixture = Eigen::ArrayXd::Constant(kGrid, 1.0 / kGrid);
    for (int em = 0; em < kMixingSteps; ++em) {
      Eigen::ArrayXd next = Eigen::ArrayXd::Zero(kGrid);
      for (std::size_t b = 0; b < bins; ++b) {
        if (histogram[b] == 0) continue;
        const Eigen::ArrayXd joint = mixture * likelihood.col(b);
        next += histogram[b] / joint.sum() * joint;
      }
      mixture = next / static_cast<double>(data_.counts.size());
    }
    std::copy_n(mixture.data(), kGrid, mixture_.begin());
  }

  Near near(Eigen::Index j) const {
    Near result;
    for (int k = 0; k < kGrid; ++k) {
      result.weight[k] = weight_near(data_.counts[j], k);
      result.log[k] = log_of(result.weight[k]);
      result.probability[k] = mixture_[k] * count_likelihood(data_.counts[j], k);
    }
    return result;
  }

  // Given W, a sum ~ N(W m, W^2 deviation^2 + W w + noise^2) with m the trend at W.
  Posterior posterior_of(const Near& near, double sum, const Trend& trend) const {
    Posterior posterior{};
    const double top = log_of(grid_[kGrid - 1]);
    for (int k = 0; k < kGrid; ++k) {
      if (near.probability[k] == 0) continue;
      const double weight = near.weight[k];
      const double mean = trend.top + trend.slope * (near.log[k] - top);
      const double varying = weight * trend.deviation * trend.deviation;
      const double variance = weight * (varying + data_.weight) + data_.sum_deviation * data_.sum_deviation;
      const double error = sum - weight * mean;
      const double probability =
          near.probability[k] * std::exp(-0.5 * error * error / variance) / std::sqrt(variance);
      posterior.likelihood += probability;
      posterior.offset += probability * (mean + varying * error / variance);
      posterior.count += probability * weight;
      posterior.log += probability * near.log[k];
    }
    const double total = posterior.likelihood + 1e-300;
    return {posterior.likelihood, posterior.offset / total, posterior.count / total, posterior.log / total};
  }

  // One per trend, over evenly spaced positions: the posterior of a position's W serves all trends.
  std::vector<double> log_likelihoods(std::span<const Trend> trends) const {
    const auto size = static_cast<Eigen::Index>(data_.sums.size());
    const Eigen::Index step = (size - 1) / kLearnFrom + 1;
    const auto positions = static_cast<std::size_t>((size + step - 1) / step);
    Matrix parts = Matrix::Zero(static_cast<Eigen::Index>(chunk_count(positions, kLearnChunk)),
                                static_cast<Eigen::Index>(trends.size()));
#pragma omp parallel for schedule(dynamic) if (parts.rows() > 1)
    for (Eigen::Index chunk = 0; chunk < parts.rows(); ++chunk) {
      const std::size_t begin = static_cast<std::size_t>(chunk) * kLearnChunk;
      for (std::size_t i = begin; i < std::min(begin + kLearnChunk, positions); ++i) {
        const Eigen::Index j = static_cast<Eigen::Index>(i) * step;
        const Near known = near(j);
        for (std::size_t t = 0; t < trends.size(); ++t)
          parts(chunk, t) += std::log(posterior_of(known, data_.sums[j], trends[t]).likelihood + 1e-300);
      }
    }
    std::vector<double> sums(trends.size());
    for (Eigen::Index chunk = 0; chunk < parts.rows(); ++chunk)
      for (std::size_t t = 0; t < trends.size(); ++t) sums[t] += parts(chunk, t);
    return sums;
  }

  Trend best_trend() const {
    std::vector<Trend> trends;
    for (double deviation : {0.1, 0.2, 0.3, 0.4, 0.5, 0.7})
      for (double slope : {0.0, 0.1, 0.2, 0.3})
        for (double top : {-0.2, 0.0, 0.2, 0.4}) trends.push_back({deviation, top, slope});
    const std::vector<double> likelihoods = log_likelihoods(trends);
    return trends[static_cast<std::size_t>(std::ranges::max_element(likelihoods) - likelihoods.begin())];
  }

  NoisyPositions data_;
  std::array<double, kGrid> grid_, spreads_, mixture_;
};

}  // namespace

PositionPosteriors position_posteriors(const NoisyPositions& released) {
  return Positions(released).posteriors();
}

}  // namespace tulle
