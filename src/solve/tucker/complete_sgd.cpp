#include "../convergence.hpp"
#include "../schedule.hpp"
#include "completion.hpp"
#include "core_update.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/tucker/complete_sgd.hpp>
#include <tulle/tensor/kernels/sweep.hpp>
#include <tulle/tensor/strata.hpp>

namespace tulle {
namespace {

// The parameters that every cell updates: the core and the level. Rows belong to one block of a stratum at a
// time.
struct Common {
  std::vector<double> core;
  double level = 0;
};

// A step along the error, then the whole ridge: a proximal step, which does not overshoot however strong the
// ridge.
TULLE_MULTIARCH void add_and_shrink(double* to, const double* from, double weight, double ridge, double step,
                                    const double* ridges, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = (to[i] + weight * from[i]) / (1 + ridge + step * ridges[i]);
}

double squared_length(const double* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] * values[i];
  return sum;
}

class Descent {
 public:
  Descent(const Penalty& penalty, ScaledTucker& fit)
      : order_(fit.model.core.order()),
        penalty_(penalty),
        core_ridge_(penalty.of_core() / penalty.cells),
        fit_(fit) {}

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

  // One step. With prediction f, its gradient J and e = x - f, the step is step e J / (1 + step |J|^2): where
  // the plain step would overshoot the cell's own value, this one does not (implicit stochastic gradients,
  // Toulis and Airoldi 2017, for f linearised), so no step is too long.
  void visit(const std::uint32_t* word, double step, Common& common, Workspace& work) {
    const int order = order_;
    std::array<double*, kMaxOrder> rows;
    double prediction = common.level;
    const double* from = common.core.data();
    for (int mode = 0; mode < order; ++mode) {
      Matrix& factor = fit_.model.factors[mode];
      const Index position = word[mode];
      rows[mode] = &factor(position, 0);
      auto& to = work.contracted[mode];
      contract_leading(rows[mode], static_cast<std::size_t>(factor.cols()), from, to.size(), to.data());
      from = to.data();
      if (!fit_.model.biases.offsets.empty()) prediction += fit_.model.biases.offsets[mode][position];
    }
    prediction += *from;
    double length = fit_.model.biases.offsets.empty() ? 0 : order + 1;
    length += backward(rows, common, work);
    const double error = std::bit_cast<float>(word[order]) / fit_.scale - prediction;
    step /= 1 + step * length;
    const double push = step * error;

    for (int mode = 0; mode < order; ++mode) {
      const Index position = word[mode];
      const double share =
          step / penalty_.counts[mode][position];  // one cell's share of a penalty on the whole row
      add_and_shrink(rows[mode], work.gradient[mode].data(), push, share * penalty_.row_ridge[mode], step,
                     penalty_.cell_ridge[mode].data(), work.gradient[mode].size());
      if (fit_.model.biases.offsets.empty()) continue;
      double& offset = fit_.model.biases.offsets[mode][position];
      offset = (offset + push) / (1 + share * penalty_.offset_ridge[mode]);
    }
    add_and_shrink(common.core.data(), work.products[0].data(), push, 0, step, core_ridge_.data(),
                   common.core.size());
    if (!fit_.model.biases.offsets.empty()) common.level += push;
  }

 private:
  // The gradients of the prediction, last mode first; returns the sum of their squared lengths.
  double backward(const std::array<double*, kMaxOrder>& rows, const Common& common, Workspace& work) const {
    double length = 0;
    const double one = 1;
    const double* later = &one;
    std::size_t later_size = 1;
    for (int mode = order_ - 1; mode >= 0; --mode) {
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

  int order_;
  const Penalty& penalty_;
  Vector core_ridge_;  // the share of one cell
  ScaledTucker& fit_;
};

// Visits every cell once. The blocks of a stratum run in parallel, each on a copy of the core, because every
// cell updates the core: were it shared, the result would depend on the timing of threads. Afterwards the
// core is the mean of the copies, weighted by their cells, as in local SGD; the sum of their changes would be
// too long a step by the number of blocks. Small data are one block, and this is plain sequential descent.
void run_epoch(Strata& strata, std::uint64_t seed, double step, Descent& descent, Tucker& model) {
  const std::size_t parts = strata.parts(), width = static_cast<std::size_t>(strata.order()) + 1;
  Common common{{model.core.values().begin(), model.core.values().end()}, model.biases.global};
  std::vector<Common> copies(parts, common);
  const auto copy = [&](std::size_t) { std::ranges::fill(copies, common); };
  const auto visit = [&](std::size_t, std::size_t part, std::span<const std::uint32_t> words) {
    Descent::Workspace work(model);
    for (std::size_t at = 0; at < words.size(); at += width)
      descent.visit(&words[at], step, copies[part], work);
  };
  const auto average = [&](std::size_t stratum) {
    double cells = 0;
    for (std::size_t part = 0; part < parts; ++part)
      cells += static_cast<double>(strata.cells(stratum, part).size());
    if (cells == 0) return;
    std::ranges::fill(common.core, 0);
    common.level = 0;
    for (std::size_t part = 0; part < parts; ++part) {
      const double share = static_cast<double>(strata.cells(stratum, part).size()) / cells;
      for (std::size_t i = 0; i < common.core.size(); ++i) common.core[i] += share * copies[part].core[i];
      common.level += share * copies[part].level;
    }
  };
  strata.visit(seed, copy, visit, average);
  std::ranges::copy(common.core, model.core.values().begin());
  model.biases.global = common.level;
}

class Epochs : public CompletionSteps {
 public:
  Epochs(const SparseTensor& observed, const TuckerCompletionSgdOptions& options)
      : seed_(options.control.seed),
        schedule_(options.step, options.decay, options.control.max_iterations),
        strata_(observed, kCellsPerBlock, Strata::Numbering::kept) {
    const auto sizes = observed.shape().dimensions();
    const auto smallest = static_cast<int>(std::ranges::min_element(sizes) - sizes.begin());
    sorted_ = sort_by_mode(observed, smallest, Levels::small_first);
  }

  void pass(int number, bool exploring, const Penalty& penalty, ScaledTucker& fit) override {
    Descent descent(penalty, fit);
    run_epoch(strata_, Random(seed_, static_cast<std::uint64_t>(number) + 1).bits(),
              exploring ? schedule_.open(number) : schedule_.at(number), descent, fit.model);
  }

  double squares(const ScaledTucker& fit) const override {
    return squared_error(sorted_, fit.scale, fit.model);
  }

  int exploring_passes() const override { return 30; }
  std::size_t look_back() const override { return kStochasticLookBack; }

 private:
  // A block works on its own copy of the core; with fewer blocks the copies diverge less.
  static constexpr std::size_t kCellsPerBlock = 10'000;

  std::uint64_t seed_;
  StepSchedule schedule_;
  Strata strata_;
  SortedEntries sorted_;
};

}  // namespace

Fit<Tucker> complete_tucker_sgd(const SparseTensor& observed, const TuckerCompletionSgdOptions& options) {
  Epochs epochs(observed, options);
  return run_completion(completion_problem(observed, options), epochs);
}

}  // namespace tulle
