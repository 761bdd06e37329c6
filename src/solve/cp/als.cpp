#include "../convergence.hpp"
#include "../observed.hpp"
#include "spectral.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/cp/als.hpp>
#include <tulle/solve/device.hpp>

#include <numeric>

namespace tulle {
namespace {

void sort_components(Cp& model) {
  std::vector<int> order(model.rank());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return model.weights[a] > model.weights[b]; });
  model.weights = Vector(model.weights(order));
  for (Matrix& factor : model.factors) factor = Matrix(factor(Eigen::all, order));
}

template <class Tensor>
Fit<Cp> run(const Tensor& tensor, const CpAlsOptions& options) {
  check_rank(options.rank);
  check_ridge("ridge", options.ridge);
  const auto sweeps = device_or_cpu(options.control.device).cp_sweeps(tensor);
  Convergence convergence(options.control);
  const Shape& shape = tensor.shape();
  const int order = shape.order(), rank = options.rank;
  const double norm = sweeps->norm();
  if (!std::isfinite(norm)) fail("the tensor has a value that is not finite");

  std::vector<Matrix> grams =
      sweeps->start(options.start == Start::random
                        ? random_factors(shape, std::vector<int>(order, rank), options.control.seed)
                        : spectral_start(shape, rank, options.control.seed, [&](const auto& tests, int mode) {
                            return sweeps->mttkrp(tests, mode);
                          }));
  CpSweeps::Update last{{}, Vector::Zero(rank)};
  double last_fit = 0;
  while (true) {
    for (int mode = 0; mode < order; ++mode) {
      Matrix system = Matrix::Ones(rank, rank);
      for (int other = 0; other < order; ++other)
        if (other != mode) system.array() *= grams[other].array();
      system.diagonal().array() += options.ridge * system.diagonal().mean();
      last = sweeps->update(mode, system);
      grams[mode] = last.gram;
    }
    Matrix overlap = Matrix::Ones(rank, rank);
    for (const Matrix& g : grams) overlap.array() *= g.array();
    const double model_square = last.lengths.dot(overlap * last.lengths);
    const double error = std::sqrt(std::max(0.0, norm * norm + model_square - 2 * last.inner));

    const double objective = norm > 0 ? error / norm : 0;
    const double change = std::abs(1 - objective - last_fit);
    last_fit = 1 - objective;
    if (!convergence.record(objective, change)) break;
  }
  Cp model;
  model.weights = std::move(last.lengths);
  model.factors = std::move(*sweeps).take();
  sort_components(model);
  return std::move(convergence).finish(std::move(model));
}

}  // namespace

Fit<Cp> cp_als(const DenseTensor& tensor, const CpAlsOptions& options) {
  return run(tensor, options);
}

Fit<Cp> cp_als(const SparseTensor& tensor, const CpAlsOptions& options) {
  if (tensor.unlisted() == Unlisted::missing)
    fail(
        "cp_als: the cells that are not listed are missing, but this method treats them as zeros; use "
        "complete_cp_als, or read the data with zero semantics");
  return run(tensor, options);
}

}  // namespace tulle
