#include "convergence.hpp"
#include "observations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/tubal/admm.hpp>
#include <tulle/tensor/tubal/spectrum.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <cmath>

namespace tulle {
namespace {

void check_weights(const SparseTensor& observed, const TubalAdmmOptions& options) {
  if (options.lambda == 0) fail_usage("weights need lambda above 0: with lambda 0 the data are met exactly");
  if (options.weights.size() != observed.size())
    fail_usage("{} weights for {} cells; give one per cell", options.weights.size(), observed.size());
  for (double weight : options.weights)
    if (!(weight > 0) || !std::isfinite(weight)) fail_usage("weight {}: give positive numbers", weight);
}

void check_request(const SparseTensor& observed, const TubalAdmmOptions& options) {
  const auto whole = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!whole(options.rho)) fail_usage("rho {}: give a positive number, or 0 to have it chosen", options.rho);
  if (!whole(options.lambda))
    fail_usage("lambda {}: give a positive number, or 0 to meet the data exactly", options.lambda);
  if (options.max_rank < 0) fail_usage("max_rank {}: give 1 or more, or 0 for no limit", options.max_rank);
  if (!(options.rho_growth >= 1) || !std::isfinite(options.rho_growth))
    fail_usage("rho_growth {}: give 1 or more", options.rho_growth);
  if (options.control.max_iterations < 1)
    fail_usage("max_iterations {}: give 1 or more", options.control.max_iterations);

  const Shape& shape = observed.shape();
  if (shape.order() < 3)
    fail("a tubal model needs 3 modes or more, but this is a {} matrix; use a cp model for matrices",
         shape.text());
  if (observed.unlisted() != Unlisted::missing)
    fail(
        "unlisted cells of this tensor are zeros, so no cell is missing; read it with missing semantics to "
        "complete it");
  if (observed.size() == 0)
    fail("no cell of this {} tensor is observed; there is nothing to complete from", shape.text());
  for (std::size_t entry = 0; entry < observed.size(); ++entry)
    if (!std::isfinite(observed.values()[entry])) {
      std::vector<std::uint64_t> cell;
      for (int mode = 0; mode < observed.order(); ++mode)
        cell.push_back(std::uint64_t{observed.column(mode)[entry]} + 1);
      fail("the value {} of cell ({}) is not finite", observed.values()[entry], fmt::join(cell, ", "));
    }
  if (!options.weights.empty()) check_weights(observed, options);
  if (options.validation != nullptr && options.validation->shape() != shape)
    fail("the validation data are {}, the observed data {}", options.validation->shape().text(),
         shape.text());
}

// Sums over the cells of a block of tubes, and over blocks in their order.
struct Sums {
  double misfit = 0;      // w (Z - Y)^2 over observed cells
  double dual = 0;        // U^2 over observed cells
  double change = 0;      // (W' - W)^2 over observed cells
  double validation = 0;  // (Z - validation)^2

  Sums& operator+=(const Sums& other) {
    misfit += other.misfit, dual += other.dual, change += other.change, validation += other.validation;
    return *this;
  }
};

// ADMM with the scaled dual U (dai2026 (23)-(25); its (8)-(12) with their misprints corrected):
//
//   X = Y on observed cells [penalised: (w Y + r (Z - U)) / (w + r), w the weight],  Z - U elsewhere
//   Z = prox(X + U): singular values lowered by t = 1 / rho [penalised: lambda / r, r = rho]
//   U = U + X - Z
//
// In terms of W = X + U, the argument of the prox, a missing cell has W' = Z - U + U = Z: no dual is needed
// there, and W can be stored in place of Z. So the state consists of one spectrum and two values per observed
// cell, and a single pass over the tubes (inverse transform, update, transform) lies between two rounds of
// singular value decompositions.
class TubalAdmm {
 public:
  TubalAdmm(const SparseTensor& observed, const TubalAdmmOptions& options)
      : options_(options),
        spectrum_(observed.shape()),
        observations_(observed, options.weights),
        w_(observations_.size()),
        z_(observations_.size()) {
    if (options.validation != nullptr) validation_.emplace(*options.validation);
    set_scale(observed.shape());
    start();
  }

  Fit<Tubal> run() {
    Convergence convergence(options_.control);
    Step last;
    do {
      last = step();
    } while (convergence.record(last.objective, last.change, last.validation_rmse));
    fill_observed([&](std::size_t entry) { return z_[entry]; });  // back from W to Z
    w_ = {}, z_ = {};                                             // frees memory for the factors
    TSvd svd = shrinkage_.factors(spectrum_);
    Biases biases;
    biases.global = mean_;
    return std::move(convergence)
        .finish(Tubal{std::move(svd.u), std::move(svd.s), std::move(svd.v), std::move(biases)});
  }

 private:
  // The weight of the observed value in X; that of Z - U is the rest.
  double pull(std::size_t entry) const {
    const double counts = observations_.weight(entry);
    return counts / (counts + weight_);
  }
  double data(std::size_t entry) const { return observations_.value(entry) - mean_; }

  // The threshold that removes pure noise: zeros at the missing cells disturb a slice like independent noise
  // of variance L p s^2 per entry (p the share of observed cells, s the standard deviation, L the number of
  // slices), whose largest singular value is about s sqrt(p L) (sqrt n1 + sqrt n2). The level of the data is
  // no part of s: it causes one large singular value, and no noise once that one is found. The rule is linear
  // in the data, and so are the iterates: the unit of measurement does not matter.
  void set_scale(const Shape& shape) {
    const double count = static_cast<double>(observations_.size()),
                 cells = static_cast<double>(shape.cells());
    double sum = 0, square = 0, deviation = 0;
    for (std::size_t entry = 0; entry < observations_.size(); ++entry) sum += observations_.value(entry);
    level_ = sum / count;
    if (options_.centre) mean_ = level_;
    for (std::size_t entry = 0; entry < observations_.size(); ++entry) {
      square += std::pow(data(entry), 2);
      deviation += std::pow(observations_.value(entry) - level_, 2);
    }
    const double typical = std::sqrt(square / count);
    const double spread = deviation > 0 ? std::sqrt(deviation / count) : typical;
    norm_ = typical * std::sqrt(cells);

    const double rows = spectrum_.rows(), columns = spectrum_.columns(),
                 depth = static_cast<double>(spectrum_.depth());
    const double edge = spread * std::sqrt(count / cells * depth) * (std::sqrt(rows) + std::sqrt(columns));
    const bool penalised = options_.lambda > 0;
    threshold_ = options_.rho > 0 ? (penalised ? options_.lambda : 1) / options_.rho : (edge > 0 ? edge : 1);
    weight_ = penalised ? options_.lambda / threshold_ : 0;
  }

  // Starts from Z = the level of the data and U = 0, so that W = X. From Z = 0 the first iterations would
  // treat the level missing in unobserved cells as noise of high rank.
  void start() {
    const double level = level_ - mean_;
    std::fill(spectrum_.values(0).begin(), spectrum_.values(0).end(),
              level * static_cast<double>(spectrum_.depth()));  // slice 0 is the sum over the tubes
    fill_observed([&](std::size_t entry) { return w_[entry] = level + pull(entry) * (data(entry) - level); });
  }

  // Sets the observed cells of the tensor whose transform is the spectrum.
  template <class Value>
  void fill_observed(Value&& value) {
    spectrum_.update_tubes([&](std::size_t block, std::span<double> tubes) {
      for (std::size_t entry = observations_.block_begin(block); entry < observations_.block_end(block);
           ++entry)
        tubes[observations_.place(entry)] = value(entry);
    });
  }

  struct Step {
    double objective = 0, change = 0;
    double validation_rmse = std::numeric_limits<double>::quiet_NaN();
  };

  Step step() {
    const auto shrunk = shrinkage_.shrink(spectrum_, threshold_, options_.max_rank);
    const double growth = options_.rho_growth;
    threshold_ /= growth;
    weight_ *= growth;

    std::vector<Sums> blocks(spectrum_.blocks());
    spectrum_.update_tubes([&](std::size_t block, std::span<double> tubes) {
      Sums sums;
      if (validation_) sums.validation = validate(block, tubes);
      for (std::size_t entry = observations_.block_begin(block); entry < observations_.block_end(block);
           ++entry) {
        double& cell = tubes[observations_.place(entry)];
        const double y = data(entry), z = cell, dual = w_[entry] - z, rescaled = dual / growth;
        const double w = z + pull(entry) * (y - (z - rescaled));
        sums.misfit += observations_.weight(entry) * (z - y) * (z - y);
        sums.dual += dual * dual;
        sums.change += (w - w_[entry]) * (w - w_[entry]);
        z_[entry] = z;
        cell = w_[entry] = w;
      }
      blocks[block] = sums;
    });
    Sums total;
    for (const Sums& sums : blocks) total += sums;

    Step iteration;
    iteration.objective =
        options_.lambda > 0 ? total.misfit / 2 + options_.lambda * shrunk.nuclear_norm : shrunk.nuclear_norm;
    // Missing cells change from W to Z, by what the prox subtracts there: its whole change minus that on
    // observed cells.
    const double elsewhere = std::max(0.0, shrunk.squared_change - total.dual);
    iteration.change = norm_ > 0 ? std::sqrt(total.change + elsewhere) / norm_ : 0;
    if (validation_ && validation_->size() > 0)
      iteration.validation_rmse = std::sqrt(total.validation / static_cast<double>(validation_->size()));
    return iteration;
  }

  double validate(std::size_t block, std::span<const double> tubes) const {
    double sum = 0;
    for (std::size_t entry = validation_->block_begin(block); entry < validation_->block_end(block);
         ++entry) {
      const double error = tubes[validation_->place(entry)] + mean_ - validation_->value(entry);
      sum += error * error;
    }
    return sum;
  }

  const TubalAdmmOptions& options_;
  Spectrum spectrum_;  // of W, and of Z between a prox and the pass that follows
  Observations observations_;
  std::optional<Observations> validation_;
  std::vector<double> w_, z_;  // on the observed cells
  SpectralShrinkage shrinkage_;
  double level_ = 0;      // of the data
  double mean_ = 0;       // subtracted from the data
  double norm_ = 0;       // |Y|, scaled up to all cells
  double threshold_ = 0;  // t
  double weight_ = 0;     // r; 0: the observed cells are met exactly
};

}  // namespace

Fit<Tubal> complete_tubal(const SparseTensor& observed, const TubalAdmmOptions& options) {
  check_request(observed, options);
  return TubalAdmm(observed, options).run();
}

}  // namespace tulle
