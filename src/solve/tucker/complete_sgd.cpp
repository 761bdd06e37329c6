#include "../convergence.hpp"
#include "balance.hpp"
#include "completion.hpp"
#include "core_update.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/tucker/complete_sgd.hpp>
#include <tulle/tensor/sweep.hpp>

namespace tulle {
namespace {

// The observed cells, cut so that some can be visited at the same time. Each mode's positions are dealt out
// to `blocks` hands; a group holds the cells of one hand a mode. Groups (b, b + s_2, b + s_3, ..) mod blocks
// for b = 0, 1, .. touch no row in common: a stratum (Gemulla et al. 2011). `blocks` depends on the data
// alone, and so does the result.
class Strata {
 public:
  Strata(const SparseTensor& observed, std::uint64_t seed) : blocks_(block_count(observed)) {
    for (int mode = 1; mode < observed.order(); ++mode) strata_ *= blocks_;
    Random random(seed, 1);
    std::vector<std::vector<std::uint8_t>> hand;
    for (Index size : observed.shape().dimensions()) {
      auto& dealt = hand.emplace_back(size);
      for (std::size_t position = 0; position < size; ++position)
        dealt[position] = static_cast<std::uint8_t>(position % blocks_);
      random.shuffle(std::span(dealt));
    }
    const auto group_of = [&](std::size_t entry) {
      const std::size_t block = hand[0][observed.column(0)[entry]];
      std::size_t stratum = 0;
      for (int mode = 1; mode < observed.order(); ++mode)
        stratum = stratum * blocks_ + (hand[mode][observed.column(mode)[entry]] + blocks_ - block) % blocks_;
      return stratum * blocks_ + block;
    };
    starts_.assign(strata_ * blocks_ + 1, 0);
    for (std::size_t entry = 0; entry < observed.size(); ++entry) ++starts_[group_of(entry) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    auto next = starts_;
    order_.resize(observed.size());
    for (std::size_t entry = 0; entry < observed.size(); ++entry) order_[next[group_of(entry)]++] = entry;
  }

  std::size_t count() const { return strata_; }
  std::size_t blocks() const { return blocks_; }
  std::span<std::size_t> group(std::size_t stratum, std::size_t block) {
    const std::size_t at = stratum * blocks_ + block;
    return std::span(order_).subspan(starts_[at], starts_[at + 1] - starts_[at]);
  }

 private:
  // Groups of 10,000 cells or more: with fewer, dealing with groups would cost more than it gains.
  static std::size_t block_count(const SparseTensor& observed) {
    const double groups = static_cast<double>(observed.size()) / 10'000;
    return static_cast<std::size_t>(std::clamp(std::pow(groups, 1.0 / observed.order()), 1.0, 8.0));
  }

  std::size_t blocks_, strata_ = 1;
  std::vector<std::size_t> order_, starts_;
};

// What every cell touches: the core and the level. The rows belong to one group of a stratum at a time.
struct Common {
  std::vector<double> core;
  double level = 0;
};

// The step along the error, then the ridge in full: a proximal step, which a strong ridge cannot make
// overshoot.
TULLE_MULTIARCH void add_and_shrink(double* to, const double* from, double weight, double keep,
                                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = keep * (to[i] + weight * from[i]);
}

double squared_length(const double* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * values[i];
  return sum;
}

class Descent {
 public:
  Descent(const SparseTensor& observed, const Penalty& penalty, ScaledTucker& fit)
      : observed_(observed), penalty_(penalty), fit_(fit), counts_(observed.order()) {
    for (int mode = 0; mode < observed.order(); ++mode) {
      counts_[mode] = Vector::Zero(observed.shape()[mode]);
      for (Index position : observed.column(mode)) counts_[mode][position] += 1;
    }
  }

  // Room for the intermediate results of one cell.
  class Workspace {
   public:
    explicit Workspace(const Tucker& model) {
      std::size_t size = model.core.size();
      for (const Matrix& factor : model.factors) {
        gradient.emplace_back(factor.cols());
        products.emplace_back(size);
        contracted.emplace_back(size /= static_cast<std::size_t>(factor.cols()));
      }
    }
    std::vector<std::vector<double>> contracted;  // by mode: the core times the rows of modes 0 .. mode
    std::vector<std::vector<double>>
        products;  // by mode: the Kronecker product of the rows of that mode and all later
    std::vector<std::vector<double>> gradient;  // by mode: of the prediction, with respect to the row
  };

  // One step. With prediction f and its gradient J, the step is step e J / (1 + step |J|^2), e = x - f: where
  // the plain step would overshoot the cell's own value, this one just reaches it (implicit stochastic
  // gradients, Toulis and Airoldi 2017, for f linearised), so no step is too long.
  void visit(std::size_t entry, double step, Common& common, Workspace& work) {
    const int order = observed_.order();
    std::array<double*, kMaxOrder> rows;
    double prediction = common.level;
    const double* from = common.core.data();
    for (int mode = 0; mode < order; ++mode) {
      Matrix& factor = fit_.model.factors[mode];
      const Index position = observed_.column(mode)[entry];
      rows[mode] = &factor(position, 0);
      auto& to = work.contracted[mode];
      contract_leading(rows[mode], static_cast<std::size_t>(factor.cols()), from, to.size(), to.data());
      from = to.data();
      if (!fit_.model.biases.offsets.empty()) prediction += fit_.model.biases.offsets[mode][position];
    }
    prediction += *from;
    double length = fit_.model.biases.offsets.empty() ? 0 : order + 1;
    length += backward(rows, common, work);
    const double error = observed_.values()[entry] / fit_.scale - prediction;
    step /= 1 + step * length;
    const double push = step * error;

    for (int mode = 0; mode < order; ++mode) {
      const Index position = observed_.column(mode)[entry];
      const double share =
          step / counts_[mode][position];  // of a penalty that the cells of a row bear together
      const double keep = 1 / (1 + share * penalty_.ridge * penalty_.weights[mode][position]);
      add_and_shrink(rows[mode], work.gradient[mode].data(), push, keep, work.gradient[mode].size());
      if (fit_.model.biases.offsets.empty()) continue;
      double& offset = fit_.model.biases.offsets[mode][position];
      offset = (offset + push) / (1 + share * penalty_.offset_ridge[mode]);
    }
    const double keep = 1 / (1 + step * penalty_.core_ridge / static_cast<double>(observed_.size()));
    add_and_shrink(common.core.data(), work.products[0].data(), push, keep, common.core.size());
    if (!fit_.model.biases.offsets.empty()) common.level += push;
  }

 private:
  // The gradients of the prediction, last mode first; returns the sum of their squared lengths.
  double backward(const std::array<double*, kMaxOrder>& rows, const Common& common, Workspace& work) const {
    double length = 0;
    const double one = 1;
    const double* later = &one;
    std::size_t later_size = 1;
    for (int mode = observed_.order() - 1; mode >= 0; --mode) {
      const double* const before = mode == 0 ? common.core.data() : work.contracted[mode - 1].data();
      auto& gradient = work.gradient[mode];
      auto& products = work.products[mode];
      for (std::size_t p = 0; p < gradient.size(); ++p) {
        double sum = 0;
        for (std::size_t i = 0; i < later_size; ++i) {
          sum += before[p * later_size + i] * later[i];
          products[p * later_size + i] = rows[mode][p] * later[i];
        }
        gradient[p] = sum;
      }
      length += squared_length(gradient.data(), gradient.size());
      later = products.data();
      later_size = products.size();
    }
    return length + squared_length(later, later_size);
  }

  const SparseTensor& observed_;
  const Penalty& penalty_;
  ScaledTucker& fit_;
  std::vector<Vector> counts_;
};

// One visit to every cell. The groups of a stratum run side by side, each on a copy of the core, because
// every cell moves the core: were it shared, the outcome would depend on who comes first. Afterwards the core
// is the mean of the copies, weighted by their cells, as in local SGD: adding their moves up instead would
// make as many times too long a step. Small data are one group, and this is plain sequential descent.
void run_epoch(Strata& strata, std::uint64_t seed, int epoch, double step, Descent& descent, Tucker& model) {
  Random random(seed, 2 + static_cast<std::uint64_t>(epoch));
  std::vector<std::size_t> order(strata.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  const Common start{{model.core.values().begin(), model.core.values().end()}, model.biases.global};
  Common common = start;
  std::vector<Common> copies(strata.blocks(), start);
  for (std::size_t stratum : order) {
    const std::uint64_t stratum_seed = random.bits();
#pragma omp parallel for schedule(dynamic) if (strata.blocks() > 1)
    for (std::size_t block = 0; block < strata.blocks(); ++block) {
      Descent::Workspace work(model);
      const auto group = strata.group(stratum, block);
      Random(stratum_seed, block).shuffle(group);
      copies[block] = common;
      for (std::size_t entry : group) descent.visit(entry, step, copies[block], work);
    }
    double cells = 0;
    for (std::size_t block = 0; block < strata.blocks(); ++block)
      cells += static_cast<double>(strata.group(stratum, block).size());
    if (cells == 0) continue;
    std::fill(common.core.begin(), common.core.end(), 0);
    common.level = 0;
    for (std::size_t block = 0; block < strata.blocks(); ++block) {
      const double share = static_cast<double>(strata.group(stratum, block).size()) / cells;
      add_and_shrink(common.core.data(), copies[block].core.data(), share, 1, common.core.size());
      common.level += share * copies[block].level;
    }
  }
  std::ranges::copy(common.core, model.core.values().begin());
  model.biases.global = common.level;
}

// The second term brings the step to zero at the end, and with it the noise that every step leaves behind.
double step_of(int epoch, const TuckerCompletionSgdOptions& options) {
  return options.step / (1 + options.decay * epoch) *
         (1 - static_cast<double>(epoch) / options.control.max_iterations);
}

}  // namespace

Fit<Tucker> complete_tucker_sgd(const SparseTensor& observed, const TuckerCompletionSgdOptions& options) {
  if (!(options.step > 0)) fail_usage("step: {} is no step; give more than 0", options.step);
  if (!(options.decay >= 0)) fail_usage("decay: {} is negative; give 0 or more", options.decay);
  Convergence convergence(options.control, options.patience);
  auto [fit, penalty] = begin_completion(completion_problem(observed, options));
  Strata strata(observed, options.control.seed);
  Descent descent(observed, penalty, fit);
  const auto smallest = std::ranges::min_element(observed.shape().dimensions());
  const SortedEntries sorted = sort_entries(
      observed,
      modes_from(observed.shape(), static_cast<int>(smallest - observed.shape().dimensions().begin())));

  constexpr std::size_t kLookBack = 5;
  ScaledTucker best = fit;
  std::vector<double> objectives;
  bool more = true;
  for (int epoch = 0; more; ++epoch) {
    run_epoch(strata, options.control.seed, epoch, step_of(epoch, options), descent, fit.model);
    balance(penalty, fit.model);
    const double objective = squared_error(sorted, fit.scale, fit.model) + penalty.of(fit.model);
    double change = 1;
    if (objectives.size() >= kLookBack)
      change = std::abs(objectives[objectives.size() - kLookBack] / std::max(objective, 1e-300) - 1);
    objectives.push_back(objective);
    more = convergence.record(objective, change, rmse(fit, options.validation));
    if (convergence.improved()) best = fit;
  }
  return std::move(convergence).finish((options.validation ? best : fit).unscaled());
}

}  // namespace tulle
