#include "input_tubal.hpp"

#include "completion/fit_checks.hpp"
#include "model_request.hpp"
#include "published/published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr int kIterations = 40;  // section 5

Tubal as_model(const DenseTensor& tensor, int rank) {
  TSvd svd = t_svd(tensor, std::min(rank, static_cast<int>(std::min(tensor.shape()[0], tensor.shape()[1]))));
  return {std::move(svd.u), std::move(svd.s), std::move(svd.v), {}};
}

// Equation 23: X is Y on the observed cells, and the nuclear norm's on the others.
struct Completed {
  DenseTensor tensor;
  Completion completion;  // less its model
};

Completed completed(const SparseTensor& cells, FitOptions options) {
  options.model = ModelKind::tubal;
  if (!options.max_iterations) options.max_iterations = kIterations;
  if (!options.tolerance) options.tolerance = 0;
  Completion completion = complete_plainly({.data = cells, .fit = options});
  DenseTensor tensor = reconstruct(completion.model);
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cells().cell(entry);
    tensor[std::span(cell).first(static_cast<std::size_t>(cells.order()))] = cells.values()[entry];
  }
  return {std::move(tensor), std::move(completion)};
}

// ---- as published ----

// The largest absolute value observed in every frontal slice, one per position of modes 3..N in C order
// (equation 17). It is computed from the data and released without noise, since undoing the division
// multiplies by it: the flaw of the paper. Slices of zeros stay unchanged.
class SliceMaxima {
 public:
  explicit SliceMaxima(const SparseTensor& observed) : depth_(observed.shape().stride(1)), largest_(depth_) {
    for (std::size_t entry = 0; entry < observed.size(); ++entry) {
      double& largest = largest_[slice_of(observed.cells(), entry)];
      largest = std::max(largest, std::abs(double{observed.values()[entry]}));
    }
    std::ranges::replace(largest_, 0.0, 1.0);
  }

  double of_entry(const Cells& cells, std::size_t entry) const { return largest_[slice_of(cells, entry)]; }

  void multiply(DenseTensor& tensor) const {
    for (std::size_t place = 0; place < tensor.size(); ++place)
      tensor.values()[place] *= largest_[place % depth_];
  }

 private:
  std::size_t slice_of(const Cells& cells, std::size_t entry) const {
    const auto cell = cells.cell(entry);
    return cells.shape().offset(std::span(cell).first(static_cast<std::size_t>(cells.order()))) % depth_;
  }

  std::size_t depth_;
  std::vector<double> largest_;
};

void check_as_published(const PrivateRequest& request) {
  if (request.terms.unit != Unit::entry || request.relation != Relation::replace)
    fail_usage("dai2026 protects unit entry under replace; omit unit and relation");
  if (request.settings.get(setting::noise).value_or(NoiseKind::laplace) != NoiseKind::laplace)
    fail_usage("dai2026 has laplace noise; omit noise");
  if (request.settings.get(setting::learning_rate))
    fail_usage("the ADMM of dai2026 has no learning rate; omit it");
  check_solver(request.fit, true);
}

}  // namespace

Completion meet_released_cells(const SparseTensor& cells, const FitOptions& options) {
  auto [tensor, completion] = completed(cells, options);
  completion.model = as_model(tensor, options.ranks.empty() ? 0 : options.ranks.front());
  return completion;
}

// Noise for values between -1 and 1, which change by at most 2 (equation 18; the paper does not state the
// sensitivity, and as printed the noise is the constant Delta / epsilon instead of a Laplace variable of that
// scale).
Completion input_tubal_as_published(const PrivateRequest& request, Curator& curator) {
  check_as_published(request);
  const int rank = tubal_rank_of(request.fit, request.data.shape());
  const SliceMaxima maxima(released_without_noise(request.data.observed()));
  const Cells& cells = request.data.positions();
  const AdditiveNoise noise =
      AdditiveNoise::laplace(Sensitivity::one_coordinate(2, request.terms.unit, request.relation),
                             request.terms.budget.epsilon, cells.size());
  const Noisy released =
      curator.release(request.data.observed(), noise, "every entry over its slice's maximum",
                      [&](const SparseTensor& observed) {
                        std::vector<double> values(observed.size());
                        for (std::size_t entry = 0; entry < values.size(); ++entry)
                          values[entry] = observed.values()[entry] / maxima.of_entry(cells, entry);
                        return values;
                      });
  auto [tensor, completion] = completed(
      {cells, std::vector<float>(released.values.begin(), released.values.end()), Unlisted::missing},
      request.fit);
  maxima.multiply(tensor);
  completion.model = as_model(tensor, rank);
  return completion;
}

}  // namespace tulle
