#include "../cpu.hpp"
#include "../start.hpp"
#include "../subspace.hpp"

#include <tulle/tensor/kernels/norms.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {
namespace {

// Small modes first: the Gram matrix of a mode costs the cells times its size, and each truncated mode
// reduces the number of cells.
std::vector<int> small_first(const Shape& shape) {
  std::vector<int> modes(shape.order());
  std::iota(modes.begin(), modes.end(), 0);
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return shape[a] < shape[b]; });
  return modes;
}

std::vector<int> range(int first, int last) {
  std::vector<int> modes(last - first);
  std::iota(modes.begin(), modes.end(), first);
  return modes;
}

// Updates the factors of modes first .. last-1 in turn, and returns the core after the last. The tensor is
// already projected on the factors of all other modes. Half of the modes share the projection on the other
// half, which is computed once for all of them: a sweep takes two passes over the whole tensor instead of one
// per mode.
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

class DenseTuckerSweeps final : public TuckerSweeps {
 public:
  explicit DenseTuckerSweeps(const DenseTensor& tensor) : tensor_(tensor) {}

  double squared_norm() override {
    if (!square_) square_ = tulle::squared_norm(tensor_);
    return *square_;
  }
  void start(std::vector<Matrix> factors) override { factors_ = std::move(factors); }
  void start_spectral(const std::vector<int>& ranks, std::uint64_t) override {
    factors_.resize(ranks.size());
    for (int mode : small_first(tensor_.shape())) {
      const DenseTensor& left = core_ ? *core_ : tensor_;
      LeftVectors leading = leading_left_vectors(left, mode, ranks[mode]);
      if (!square_) square_ = leading.square;
      factors_[mode] = std::move(leading.vectors);
      core_ = ttm(left, mode, factors_[mode], Apply::project);
    }
  }
  double sweep() override {
    core_ = update_factors(tensor_, factors_, 0, tensor_.order());
    return tulle::squared_norm(*core_);
  }
  Tucker take() && override { return {*std::move(core_), std::move(factors_), {}}; }

 private:
  const DenseTensor& tensor_;
  std::vector<Matrix> factors_;
  std::optional<DenseTensor> core_;
  std::optional<double> square_;
};

class SparseTuckerSweeps final : public TuckerSweeps {
 public:
  explicit SparseTuckerSweeps(const SparseTensor& tensor)
      : tensor_(tensor), entries_(sort_by_every_mode(tensor, Levels::small_first)) {}

  double squared_norm() override { return tulle::squared_norm(tensor_); }
  void start(std::vector<Matrix> factors) override { factors_ = std::move(factors); }
  void start_spectral(const std::vector<int>& ranks, std::uint64_t seed) override {
    start(sketched_factors(entries_, tensor_.shape(), ranks, seed));
  }
  double sweep() override {
    for (int mode = 0; mode < tensor_.order(); ++mode) {
      const Matrix projected = project_all_but(entries_[mode], factors_);
      factors_[mode] = leading_left_vectors(projected, static_cast<int>(factors_[mode].cols()));
      if (mode + 1 == tensor_.order()) core_.noalias() = factors_[mode].transpose() * projected;
    }
    return core_.squaredNorm();
  }
  Tucker take() && override {
    const auto& levels = entries_.back().modes;
    std::vector<std::uint64_t> sizes;
    std::vector<int> back(levels.size());
    for (std::size_t level = 0; level < levels.size(); ++level) {
      sizes.push_back(static_cast<std::uint64_t>(factors_[levels[level]].cols()));
      back[levels[level]] = static_cast<int>(level);
    }
    const DenseTensor by_level(Shape(sizes), {core_.data(), core_.data() + core_.size()});
    return {permute(by_level, back), std::move(factors_), {}};
  }

 private:
  const SparseTensor& tensor_;
  std::vector<SortedEntries> entries_;  // by mode
  std::vector<Matrix> factors_;
  Matrix core_;  // unfolded along the last mode, columns in the order of its entries' levels
};

}  // namespace

std::unique_ptr<TuckerSweeps> Cpu::tucker_sweeps(const DenseTensor& tensor) const {
  return std::make_unique<DenseTuckerSweeps>(tensor);
}

std::unique_ptr<TuckerSweeps> Cpu::tucker_sweeps(const SparseTensor& tensor) const {
  return std::make_unique<SparseTuckerSweeps>(tensor);
}

}  // namespace tulle
