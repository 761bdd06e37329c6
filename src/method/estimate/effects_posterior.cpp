#include "effects_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tulle {
namespace {

constexpr int kMaxSteps = 300;  // of conjugate gradients
constexpr double kLooseTolerance = 1e-2;

EffectWeights squared(EffectWeights weights) {
  for (auto& mode : weights.offsets)
    for (double& weight : mode) weight *= weight;
  weights.global *= weights.global;
  for (double& weight : weights.rows) weight *= weight;
  weights.core *= weights.core;
  return weights;
}

}  // namespace

EffectsPosterior::EffectsPosterior(const CellEffects& effects, EffectWeights sums, double deviation)
    : effects_(&effects), sums_(std::move(sums)), deviation_(deviation) {
  const CellEffects squares = effects.squared();
  const Vector ones = Vector::Ones(static_cast<Eigen::Index>(effects.cells().size()));
  once_ = squares.gather(ones, sums_);
  twice_ = squares.gather(ones, squared(sums_));
}

Vector EffectsPosterior::scaled(Vector effects, const EffectPrior& prior) const {
  for (std::size_t b = 0; b < prior.variances.size(); ++b) {
    const CellEffects::Block& block = effects_->blocks()[b];
    effects.segment(block.begin, block.size) *= prior.variances[b];
  }
  return effects;
}

// Diagonal preconditioner: each parameter's own information, with all other effects in its cells treated as
// noise.
Vector EffectsPosterior::diagonal(const EffectPrior& prior) const {
  double other = prior.noise;
  for (std::size_t b = 1; b < prior.variances.size(); ++b) other += prior.variances[b];
  const Vector own = scaled(once_.cwiseProduct(once_), prior);
  return own + other * twice_ + Vector::Constant(own.size(), deviation_ * deviation_);
}

Vector EffectsPosterior::mean(const Vector& y, const EffectPrior& prior, double tolerance, Vector& z) const {
  Vector cells, expected;  // not made anew in every step: as many numbers as there are cells
  const auto effects_of = [&](const Vector& duals) {
    effects_->expect(duals, sums_, cells);
    return scaled(effects_->gather(cells), prior);
  };
  const auto covariance = [&](const Vector& duals) {
    effects_->expect(effects_of(duals), {}, expected);
    expected += prior.noise * cells;
    return Vector(sums(expected) + deviation_ * deviation_ * duals);
  };
  const Vector inverse = diagonal(prior).cwiseMax(1e-300).cwiseInverse();
  Vector residual = y - covariance(z), direction = inverse.cwiseProduct(residual);
  double square = residual.dot(direction);
  const double enough = tolerance * tolerance * y.dot(inverse.cwiseProduct(y));
  for (int step = 0; step < kMaxSteps && square > enough; ++step) {
    const Vector image = covariance(direction);
    const double length = square / direction.dot(image);
    z += length * direction;
    residual -= length * image;
    const Vector next = inverse.cwiseProduct(residual);
    const double before = std::exchange(square, residual.dot(next));
    direction = next + square / before * direction;
  }
  return effects_of(z);
}

EffectsPosterior::Draw EffectsPosterior::draw(const EffectPrior& prior, Random& random) const {
  Draw drawn;
  drawn.effects = Vector(effects_->size());
  for (double& effect : drawn.effects) effect = random.normal();
  EffectPrior deviations = prior;
  for (double& variance : deviations.variances) variance = std::sqrt(variance);
  drawn.effects = scaled(std::move(drawn.effects), deviations);
  Vector cells = effects_->expect(drawn.effects);
  for (double& cell : cells) cell += std::sqrt(prior.noise) * random.normal();
  drawn.y = sums(cells);
  for (Eigen::Index i = 0; i < drawn.y.size(); ++i)
    if (once_[i] > 0) drawn.y[i] += deviation_ * random.normal();
  return drawn;
}

EffectPrior EffectsPosterior::learn(const Vector& y, EffectPrior prior, int steps) const {
  Vector z = Vector::Zero(y.size()), z_drawn = z;
  const auto as_much = [](double in_y, double in_draw) {
    return std::clamp(in_y / std::max(in_draw, 1e-300), 0.1, 4.0);
  };
  for (int step = 0; step < steps; ++step) {
    Random random(1);  // the same draws every time, so that the steps settle
    const Draw drawn = draw(prior, random);
    const Vector found = mean(y, prior, kLooseTolerance, z);
    const Vector redrawn = mean(drawn.y, prior, kLooseTolerance, z_drawn);
    for (std::size_t b = 1; b < prior.variances.size(); ++b) {
      const CellEffects::Block& block = effects_->blocks()[b];
      prior.variances[b] *= as_much(found.segment(block.begin, block.size).squaredNorm(),
                                    redrawn.segment(block.begin, block.size).squaredNorm());
    }
    prior.noise *=
        as_much(effects_->expect(z, sums_).squaredNorm(), effects_->expect(z_drawn, sums_).squaredNorm());
  }
  return prior;
}

double EffectsPosterior::expected_error(const EffectPrior& truth, const EffectPrior& assumed,
                                        std::uint64_t seed) const {
  Random random(seed);
  const Draw drawn = draw(truth, random);
  Vector z = Vector::Zero(drawn.y.size());
  const Vector error = drawn.effects - mean(drawn.y, assumed, kLooseTolerance, z);
  return effects_->expect(error).squaredNorm() / static_cast<double>(effects_->cells().size());
}

}  // namespace tulle
