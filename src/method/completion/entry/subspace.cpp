// Private subspaces of the modes, then a noisy core inside them (Tulle, after Dwork et al. 2014).
//
// Unit, relation:  entry, replace. Public: shape, positions, range, options.
// Releases:        1. the sum of all values: it changes by the change d of a value, at most the width, and 2
//                  steps. 2. per mode the products of its rows, sensitivity (d + u) (M + u / 2) sqrt(cells of
//                  the fullest column - 1) in L2, with values rounded to u. 3. the core, sensitivity d x the
//                  longest product of rows, and 2 steps per number. Proofs in subspace.hpp. Gaussian, planned
//                  together.
// After that free: eigenvectors, how many of them stand out, the core by shrunk least squares.
// Cost:            O(cells x fullest column) for a Gram matrix, O(cells x core^2) for the core.
#include "subspace.hpp"

#include "crafted.hpp"
#include "estimate/shrunk_solve.hpp"
#include "methods.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/gram.hpp>
#include <tulle/tensor/sorted.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tulle {
namespace subspace {
namespace {

double largest_distance(const Range& range, double centre) {
  return std::max(range.high - centre, centre - range.low);
}

// Centred values are rounded to multiples of this power of two before they are multiplied: the products, and
// sums of up to `cells` of them, then fit into the 53 bits of a double and are exact. At most 23 bits, which
// float32 holds.
double unit_of_values(std::size_t cells, double largest) {
  const int bits = std::min(23, (51 - static_cast<int>(std::bit_width(cells))) / 2);
  return std::ldexp(1.0, std::ilogb(largest) + 1 - bits);
}

SparseTensor centred(const SparseTensor& observed, double centre, double unit) {
  SparseTensor result = observed;
  for (float& value : result.values())
    value = static_cast<float>(unit * std::nearbyint((value - centre) / unit));
  return result;
}

Vector product_of_rows(const Cells& cells, std::size_t cell, const std::vector<Matrix>& bases) {
  Vector product = Vector::Ones(1);
  for (int mode = 0; mode < cells.order(); ++mode) {
    const auto row = bases[mode].row(cells(cell, mode));
    Matrix next = product * row;
    product = next.reshaped<Eigen::RowMajor>();
  }
  return product;
}

Eigen::Index product_size(const std::vector<Matrix>& bases) {
  Eigen::Index size = 1;
  for (const Matrix& basis : bases) size *= basis.cols();
  return size;
}

// Of products of rows over the cells, by the norms of the rows.
double longest_product(const Cells& cells, const std::vector<Matrix>& bases) {
  double longest = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    double length = 1;
    for (int mode = 0; mode < cells.order(); ++mode) length *= bases[mode].row(cells(cell, mode)).norm();
    longest = std::max(longest, length);
  }
  return longest * (1 + 1e-9);
}

SumGrid grid_of_core(double longest, std::size_t cells, const Range& range, double centre) {
  return {longest * largest_distance(range, centre), static_cast<double>(cells)};
}

SumGrid grid_of_values(std::size_t cells, const Range& range) {
  return {range.width() / 2, static_cast<double>(cells)};
}

}  // namespace

std::vector<double> sum_of_values(const SparseTensor& observed, const Range& range) {
  const SumGrid grid = grid_of_values(observed.size(), range);
  double total = 0;
  for (float value : observed.values()) total += grid.round(range.centred(value));
  return {total};
}

double sum_sensitivity(const PrivateTensor& data) {
  return data.largest_change() + 2 * grid_of_values(data.positions().size(), data.range()).step();
}

std::vector<double> gram_above_diagonal(const SparseTensor& observed, int mode, const Range& range,
                                        double centre) {
  const double unit = unit_of_values(observed.size(), largest_distance(range, centre));
  const Matrix full = gram(centred(observed, centre, unit), mode);
  std::vector<double> above;
  above.reserve(static_cast<std::size_t>(full.rows() * (full.rows() - 1) / 2));
  for (Eigen::Index i = 0; i < full.rows(); ++i)
    for (Eigen::Index j = i + 1; j < full.rows(); ++j) above.push_back(full(i, j));
  return above;
}

double gram_sensitivity(const PrivateTensor& data, int mode, double centre) {
  const Cells& cells = data.positions();
  // Cells in the order of their fibers along the mode: the longest run is the fullest column.
  const SortedEntries sorted =
      sort_entries(SparseTensor(cells, std::vector<float>(cells.size()), Unlisted::missing),
                   modes_towards(cells.shape(), mode));
  const int last = cells.order() - 1;
  std::size_t run = 0, longest = 0;
  for (std::size_t cell = 0; cell < sorted.size(); ++cell) {
    run = cell > 0 && sorted.fresh[cell] == last ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  const double largest = largest_distance(data.range(), centre), unit = unit_of_values(cells.size(), largest);
  return (data.largest_change() + unit) * (largest + unit / 2) * std::sqrt(static_cast<double>(longest - 1)) *
         (1 + 1e-12);
}

std::vector<double> core_sums(const SparseTensor& observed, const std::vector<Matrix>& bases,
                              const Range& range, double centre) {
  const SumGrid grid = grid_of_core(longest_product(observed.cells(), bases), observed.size(), range, centre);
  const std::size_t chunks = chunk_count(observed.size());
  Matrix parts = Matrix::Zero(static_cast<Eigen::Index>(chunks), product_size(bases));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    for (std::size_t cell = chunk * kChunkItems; cell < std::min(observed.size(), (chunk + 1) * kChunkItems);
         ++cell) {
      const double value = observed.values()[cell] - centre;
      const Vector product = product_of_rows(observed.cells(), cell, bases);
      double* const sum = parts.row(static_cast<Eigen::Index>(chunk)).data();
      for (Eigen::Index k = 0; k < product.size(); ++k) sum[k] += grid.round(value * product[k]);
    }
  const Vector sums = parts.colwise().sum();
  return {sums.data(), sums.data() + sums.size()};
}

double core_sensitivity(const PrivateTensor& data, const std::vector<Matrix>& bases, double centre) {
  const double longest = longest_product(data.positions(), bases);
  if (longest == 0) return 0;
  const SumGrid grid = grid_of_core(longest, data.positions().size(), data.range(), centre);
  return data.largest_change() * longest +
         2 * grid.step() * std::sqrt(static_cast<double>(product_size(bases)));
}

namespace {

constexpr double kMeanShare = 0.02,
                 kGramShare = 0.75;  // of the budget; the Grams share theirs, the core has the rest
constexpr int kDefaultRank = 8;
constexpr Index kLargestMode = 5000;   // a Gram matrix has the square of it
constexpr double kLargestWork = 1e11;  // multiplications for the normal equations of the core
constexpr double kAboveEdge = 1.1;
constexpr double kSpread = 0.03;  // variance of values around the model, relative to the width squared

class Subspace {
 public:
  Subspace(const PrivateRequest& request, Curator& curator)
      : request_(request), curator_(curator), cells_(request.data.positions()), range_(request.data.range()) {
    for (int mode = 0; mode < cells_.order(); ++mode)
      if (cells_.shape()[mode] > kLargestMode)
        fail("mode {} has {} positions, and method subspace releases their square; it takes up to {}",
             mode + 1, cells_.shape()[mode], kLargestMode);
  }

  Completion run() {
    plan();
    release_centre();
    std::vector<Matrix> bases;
    for (int mode = 0; mode < cells_.order(); ++mode) bases.push_back(release_basis(mode));
    limit_core(bases);
    Tucker model{release_core(bases), bases, {centre_, {}}};
    Completion completion{.model = std::move(model), .solver = "subspace", .converged = true};
    std::vector<Eigen::Index> ranks;
    for (const Matrix& basis : bases) ranks.push_back(basis.cols());
    completion.remarks.push_back(fmt::format(
        "Kept subspaces of {} dimensions, those that stand out of the noise.", fmt::join(ranks, "x")));
    return completion;
  }

 private:
  void plan() {
    const auto modes = static_cast<std::uint64_t>(cells_.order());
    const std::vector<double> noise = curator_.plan({{.share = kMeanShare},
                                                     {.share = kGramShare / cells_.order(), .count = modes},
                                                     {.share = 1 - kMeanShare - kGramShare}});
    of_sum_ = noise[0], of_gram_ = noise[1], of_core_ = noise[2];
  }

  AdditiveNoise noise(double multiplier, double sensitivity, std::uint64_t numbers) const {
    return AdditiveNoise::gaussian(Sensitivity::l2(sensitivity, Unit::entry, request_.relation), multiplier,
                                   numbers);
  }

  void release_centre() {
    const Noisy sum = curator_.release(
        request_.data.observed(), noise(of_sum_, sum_sensitivity(request_.data), 1), "sum of all values",
        [&](const SparseTensor& observed) { return sum_of_values(observed, range_); });
    centre_ = range_.clamp(range_.middle() + sum.values.front() / static_cast<double>(cells_.size()));
  }

  Eigen::Index wanted_rank(int mode) const {
    const std::vector<int>& ranks = request_.fit.ranks;
    if (ranks.size() > 1 && static_cast<int>(ranks.size()) != cells_.order())
      fail_usage("{} ranks for {} modes; give one for all, or one per mode", ranks.size(), cells_.order());
    const int wanted = ranks.empty() ? kDefaultRank : ranks[ranks.size() > 1 ? mode : 0];
    return std::min<Eigen::Index>(wanted, cells_.shape()[mode]);
  }

  Matrix release_basis(int mode) {
    const Eigen::Index size = cells_.shape()[mode];
    if (size == 1) return Matrix::Ones(1, 1);
    const double sensitivity =
        std::max(gram_sensitivity(request_.data, mode, centre_), 1e-9 * range_.width());
    const Noisy released = curator_.release(
        request_.data.observed(),
        noise(of_gram_, sensitivity, static_cast<std::uint64_t>(size * (size - 1) / 2)),
        fmt::format("products of the rows of mode {}", mode + 1),
        [&](const SparseTensor& observed) { return gram_above_diagonal(observed, mode, range_, centre_); });
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(size, size);
    std::size_t next = 0;
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = i + 1; j < size; ++j) products(i, j) = products(j, i) = released.values[next++];
    return leading(products, wanted_rank(mode));
  }

  // Eigenvectors of a symmetric matrix whose diagonal is unknown: it is filled in from the eigenvectors found
  // so far, a few times (Zhang, Cai and Wu 2022). Those are kept whose eigenvalue is above what the rest of
  // the matrix, taken for noise, would have: 2 sqrt(size) times its deviation (Wigner).
  static Matrix leading(Eigen::MatrixXd products, Eigen::Index wanted) {
    const OneThread alone;
    const Eigen::Index size = products.rows();
    Eigendecomposition eigen;
    Eigen::Index kept = 0;
    for (int round = 0; round < 5; ++round) {
      eigen = eigendecomposition(products);
      const Vector& values = eigen.values;  // ascending
      double rest = values.squaredNorm();
      for (kept = 0; kept < wanted; ++kept) {
        const double value = values[size - 1 - kept];
        rest -= value * value;
        const double edge = 2 * std::sqrt(std::max(rest, 0.0) / static_cast<double>(size));
        if (value <= kAboveEdge * edge || value <= 0) break;
      }
      const auto vectors = eigen.vectors.rightCols(kept);
      products.diagonal() = (vectors * values.tail(kept).asDiagonal()).cwiseProduct(vectors).rowwise().sum();
    }
    return eigen.vectors.rightCols(kept).rowwise().reverse();
  }

  // A core whose equations take too long, cells x its size^2, is cut where it is widest. A mode without any
  // direction leaves the mean.
  void limit_core(std::vector<Matrix>& bases) const {
    if (std::ranges::any_of(bases, [](const Matrix& basis) { return basis.cols() == 0; }))
      for (Matrix& basis : bases) basis = Matrix::Zero(basis.rows(), 1);
    const auto work = [&] {
      return static_cast<double>(cells_.size()) * std::pow(static_cast<double>(product_size(bases)), 2);
    };
    while (product_size(bases) > 1 && work() > kLargestWork) {
      Matrix& widest = *std::ranges::max_element(bases, {}, [](const Matrix& basis) { return basis.cols(); });
      widest = Matrix(widest.leftCols(widest.cols() - 1));
    }
  }

  // The sum over cells of p p^T, p the product of its rows: public. Blocks of cells, so that it is one
  // product of matrices per block.
  Eigen::MatrixXd normal_matrix(const std::vector<Matrix>& bases, Eigen::Index size) const {
    constexpr std::size_t kBlock = 256;
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(size, size), block(size, kBlock);
    for (std::size_t begin = 0; begin < cells_.size(); begin += kBlock) {
      block.setZero();
      for (std::size_t cell = begin; cell < std::min(cells_.size(), begin + kBlock); ++cell)
        block.col(static_cast<Eigen::Index>(cell - begin)) = product_of_rows(cells_, cell, bases);
      left.selfadjointView<Eigen::Lower>().rankUpdate(block);
    }
    return left.selfadjointView<Eigen::Lower>();
  }

  DenseTensor release_core(const std::vector<Matrix>& bases) {
    std::vector<std::uint64_t> sizes;
    for (const Matrix& basis : bases) sizes.push_back(static_cast<std::uint64_t>(basis.cols()));
    const double sensitivity = core_sensitivity(request_.data, bases, centre_);
    if (sensitivity == 0) return DenseTensor(Shape(sizes));
    const Eigen::Index size = product_size(bases);
    const Noisy released = curator_.release(
        request_.data.observed(), noise(of_core_, sensitivity, static_cast<std::uint64_t>(size)), "core",
        [&](const SparseTensor& observed) { return core_sums(observed, bases, range_, centre_); });
    const OneThread alone;
    const NoisyEquations equations(normal_matrix(bases, size),
                                   Eigen::Map<const Vector>(released.values.data(), size));
    const double spread = kSpread * range_.width() * range_.width();
    const double variance = std::max(equations.excess(spread, released.deviation), 0.0) / equations.squares();
    const Vector core = equations.solve(spread, released.deviation, variance);
    return {Shape(sizes), {core.data(), core.data() + size}};
  }

  const PrivateRequest& request_;
  Curator& curator_;
  const Cells& cells_;
  const Range range_;
  double of_sum_ = 0, of_gram_ = 0, of_core_ = 0;  // noise multipliers
  double centre_ = 0;
};

Completion complete(const PrivateRequest& request, Curator& curator) {
  return Subspace(request, curator).run();
}

}  // namespace
}  // namespace subspace

namespace {

// Zeros and ones alternate, so the mean is in the middle of the range whatever its noise, and all products
// with the canary are as far from it as possible.
CraftedTensor value_on_board() {
  return {.canary = "the value of a cell among 1000 zeros and ones",
          .data = cells_of({10, 10, 10},
                           [](auto cell, double secret) {
                             const Index sum = cell[0] + cell[1] + cell[2];
                             return sum == 0 ? secret : sum % 2;
                           }),
          .graded = true};
}

}  // namespace

Method subspace_method() {
  return {
      .name = "subspace",
      .title = "private subspaces of the modes, then a noisy core inside them",
      .source = "Tulle, after Analyze Gauss (Dwork et al. 2014)",
      .guarantee = "(epsilon, delta)-private for one entry under replace; which cells are observed is public",
      .details =
          "Releases the mean, for every mode the products of its rows, whose leading eigenvectors span its "
          "subspace, and the core inside all subspaces. Keeps the dimensions that exceed the noise, at most "
          "the given number. For modes of up to a few thousand positions and many cells.",
      .models = {ModelKind::tucker},
      .protects = {{Unit::entry, Relation::replace}},
      .needs_delta = true,
      .reads = {FitOption::rank},
      .sound = subspace::complete,
      .no_refit = "its core is released inside the subspaces of the ranks that were asked for",
      .worst_cases = {
          {.data = value_on_board(), .model = ModelKind::tucker, .delta = kCraftedDelta, .trials = 20'000}}};
}

}  // namespace tulle
