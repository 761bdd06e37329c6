#include "../convergence.hpp"
#include "../start.hpp"
#include "../subspace.hpp"
#include "ranks.hpp"

#include <tulle/base/random.hpp>
#include <tulle/solve/tucker/hooi.hpp>
#include <tulle/tensor/kernels/norms.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {
namespace {

// Small modes first: the Gram matrix of a mode costs the cells times its size, and each mode that is cut
// leaves fewer cells.
std::vector<int> small_first(const Shape& shape) {
  std::vector<int> modes(shape.order());
  std::iota(modes.begin(), modes.end(), 0);
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return shape[a] < shape[b]; });
  return modes;
}

struct Truncation {
  Tucker model;
  double square_of_data;
};

Truncation truncate_in_sequence(const DenseTensor& tensor, const std::vector<int>& ranks) {
  std::vector<Matrix> factors(tensor.order());
  std::optional<DenseTensor> core;
  double square = 0;
  for (int mode : small_first(tensor.shape())) {
    const DenseTensor& left = core ? *core : tensor;
    LeftVectors leading = leading_left_vectors(left, mode, ranks[mode]);
    if (!core) square = leading.square;
    factors[mode] = std::move(leading.vectors);
    core = ttm(left, mode, factors[mode], Apply::project);
  }
  return {{*std::move(core), std::move(factors), {}}, square};
}

std::vector<int> range(int first, int last) {
  std::vector<int> modes(last - first);
  std::iota(modes.begin(), modes.end(), first);
  return modes;
}

// Updates the factors of modes first .. last-1 in turn, and returns the core after the last. The tensor is
// projected on the factors of all other modes already. What half of the modes have in common, the projection
// on the other half, is computed once for all of them: two passes over the whole tensor for a sweep, instead
// of one per mode.
DenseTensor update_factors(const DenseTensor& tensor, std::vector<Matrix>& factors, int first, int last) {
  if (last - first == 1) {
    factors[first] = leading_left_vectors(tensor, first, static_cast<int>(factors[first].cols())).vectors;
    return ttm(tensor, first, factors[first], Apply::project);
  }
  const int middle = (first + last) / 2;
  update_factors(ttm_chain(tensor, factors, Apply::project, range(middle, last)), factors, first, middle);
  return update_factors(ttm_chain(tensor, factors, Apply::project, range(first, middle)), factors, middle,
                        last);
}

// The factors are orthonormal, so ||X - Xhat||^2 = ||X||^2 - ||G||^2: exact to about 1e-16 of ||X||^2, which
// is what rounding may turn negative.
double error_of(double square_of_data, double square_of_core) {
  return std::max(0.0, square_of_data - square_of_core);
}

// Sweeps until the error stands still. sweep() updates all factors and returns ||G||^2.
template <class Sweep>
void iterate(double square_of_data, Convergence& convergence, Sweep&& sweep) {
  double before = square_of_data;
  while (true) {
    const double error = error_of(square_of_data, sweep());
    const double change = square_of_data > 0 ? (before - error) / square_of_data : 0;
    if (!convergence.record(error, change)) return;
    before = error;
  }
}

// Factors of the sparse tensor's own unfoldings, from their products with Kronecker products of random
// matrices (Sun et al. 2020).
std::vector<Matrix> sketched_factors(const std::vector<SortedEntries>& entries, const Shape& shape,
                                     const std::vector<int>& ranks, std::uint64_t seed) {
  return spectral_factors(shape, ranks, [&](int mode) {
    const double width = std::ceil(std::pow(sketch_width(ranks[mode]), 1.0 / (shape.order() - 1)));
    std::vector<int> widths;
    for (int rank : ranks) widths.push_back(std::max(static_cast<int>(width), rank));
    return project_all_but(entries[mode], random_factors(shape, widths, seed));
  });
}

}  // namespace

Fit<Tucker> hosvd(const DenseTensor& tensor, const TuckerOptions& options) {
  Convergence convergence(options.control);
  auto [model, square] = truncate_in_sequence(tensor, usable_ranks(options.ranks, tensor.shape()));
  const double error = error_of(square, squared_norm(model.core));
  convergence.record(error, square > 0 ? 1 - error / square : 0);
  auto fit = std::move(convergence).finish(std::move(model));
  fit.converged = true;  // there is nothing to iterate
  return fit;
}

Fit<Tucker> hooi(const DenseTensor& tensor, const TuckerOptions& options) {
  Convergence convergence(options.control);
  const auto ranks = usable_ranks(options.ranks, tensor.shape());
  Tucker model = options.start == Start::spectral
                     ? truncate_in_sequence(tensor, ranks).model
                     : Tucker{DenseTensor(core_shape(ranks)),
                              random_orthonormal(tensor.shape(), ranks, options.control.seed),
                              {}};
  iterate(squared_norm(tensor), convergence, [&] {
    model.core = update_factors(tensor, model.factors, 0, tensor.order());
    return squared_norm(model.core);
  });
  return std::move(convergence).finish(std::move(model));
}

Fit<Tucker> hooi(const SparseTensor& tensor, const TuckerOptions& options) {
  if (tensor.unlisted() == Unlisted::missing)
    fail(
        "hooi: unlisted cells of this tensor are missing, and it would take them for zeros; use a completion "
        "method");
  Convergence convergence(options.control);
  const Shape& shape = tensor.shape();
  const auto ranks = usable_ranks(options.ranks, shape);
  const std::vector<SortedEntries> entries = sort_by_every_mode(tensor, Levels::small_first);
  auto factors = options.start == Start::spectral
                     ? sketched_factors(entries, shape, ranks, options.control.seed)
                     : random_orthonormal(shape, ranks, options.control.seed);

  const int last = shape.order() - 1;
  Matrix core;  // unfolded along the last mode, columns in the order of its entries' levels
  iterate(squared_norm(tensor), convergence, [&] {
    for (int mode = 0; mode <= last; ++mode) {
      const Matrix projected = project_all_but(entries[mode], factors);
      factors[mode] = leading_left_vectors(projected, ranks[mode]);
      if (mode == last) core.noalias() = factors[mode].transpose() * projected;
    }
    return core.squaredNorm();
  });

  const auto& levels = entries[last].modes;
  std::vector<std::uint64_t> sizes;
  std::vector<int> back(shape.order());
  for (int level = 0; level < shape.order(); ++level) {
    sizes.push_back(static_cast<std::uint64_t>(ranks[levels[level]]));
    back[levels[level]] = level;
  }
  const DenseTensor by_level(Shape(sizes), {core.data(), core.data() + core.size()});
  return std::move(convergence).finish(Tucker{permute(by_level, back), std::move(factors), {}});
}

}  // namespace tulle
