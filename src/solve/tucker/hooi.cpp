#include "../convergence.hpp"
#include "../start.hpp"
#include "ranks.hpp"

#include <tulle/solve/device.hpp>
#include <tulle/solve/tucker/hooi.hpp>
#include <tulle/tensor/kernels/norms.hpp>

namespace tulle {
namespace {

// The factors are orthonormal, so ||X - Xhat||^2 = ||X||^2 - ||G||^2, accurate to about 1e-16 of ||X||^2:
// rounding may make it negative.
double error_of(double square_of_data, double square_of_core) {
  return std::max(0.0, square_of_data - square_of_core);
}

template <class Tensor>
Fit<Tucker> run(const Tensor& tensor, const TuckerOptions& options) {
  Convergence convergence(options.control);
  const auto ranks = usable_ranks(options.ranks, tensor.shape());
  const auto sweeps = device_or_cpu(options.control.device).tucker_sweeps(tensor);
  const double square = sweeps->squared_norm();
  if (options.start == Start::spectral)
    sweeps->start_spectral(ranks, options.control.seed);
  else
    sweeps->start(random_orthonormal(tensor.shape(), ranks, options.control.seed));
  for (double before = square;;) {
    const double error = error_of(square, sweeps->sweep());
    const double change = square > 0 ? (before - error) / square : 0;
    if (!convergence.record(error, change)) break;
    before = error;
  }
  return std::move(convergence).finish(std::move(*sweeps).take());
}

}  // namespace

Fit<Tucker> hosvd(const DenseTensor& tensor, const TuckerOptions& options) {
  Convergence convergence(options.control);
  const auto sweeps = device_or_cpu(options.control.device).tucker_sweeps(tensor);
  sweeps->start_spectral(usable_ranks(options.ranks, tensor.shape()), options.control.seed);
  const double square = sweeps->squared_norm();
  Tucker model = std::move(*sweeps).take();
  const double error = error_of(square, squared_norm(model.core));
  convergence.record(error, square > 0 ? 1 - error / square : 0);
  auto fit = std::move(convergence).finish(std::move(model));
  fit.converged = true;  // there is nothing to iterate
  return fit;
}

Fit<Tucker> hooi(const DenseTensor& tensor, const TuckerOptions& options) {
  return run(tensor, options);
}

Fit<Tucker> hooi(const SparseTensor& tensor, const TuckerOptions& options) {
  if (tensor.unlisted() == Unlisted::missing)
    fail(
        "hooi: unlisted cells of this tensor are missing, and it would treat them as zeros; use a completion "
        "method");
  return run(tensor, options);
}

}  // namespace tulle
