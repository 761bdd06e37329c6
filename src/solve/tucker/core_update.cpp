#include "core_update.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/residuals.hpp>
#include <tulle/tensor/kernels/sweep.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {
namespace {

// Cores up to this size are solved for by their normal equations, larger ones by conjugate gradients, which
// never form these.
constexpr std::size_t kLargestDirect = 1000;

// The lower triangle of row * row^T, packed, for each level. The normal equations are a Kronecker sum of
// these.
class SquaredRows {
 public:
  explicit SquaredRows(const FactorRows& rows, int levels) : rows_(rows), packed_(levels) {
    for (int level = 0; level < levels; ++level) packed_[level].resize(size(level));
  }

  std::size_t size(int level) const { return rows_.size(level) * (rows_.size(level) + 1) / 2; }
  const double* operator()(int level, std::size_t entry) {
    const double* const row = rows_(level, entry);
    double* to = packed_[level].data();
    for (std::size_t p = 0; p < rows_.size(level); ++p)
      for (std::size_t q = 0; q <= p; ++q) *to++ = row[p] * row[q];
    return packed_[level].data();
  }

 private:
  FactorRows rows_;
  std::vector<std::vector<double>> packed_;
};

// Weight 1 for every entry, as a function for sums over entries.
constexpr auto kOnes = [] { return [](std::size_t, bool) { return 1.0; }; };

// The unknowns of the regression: the core in the order of the entries' levels, then the level common to all
// cells.
class CoreProblem {
 public:
  CoreProblem(const SortedEntries& entries, double scale, Vector ridge, const Tucker& model)
      : entries_(entries),
        rows_(entries, model.factors),
        model_(model),
        scale_(scale),
        ridge_(std::move(ridge)),
        core_size_(model.core.size()),
        size_(core_size_ + (model.biases.offsets.empty() ? 0 : 1)) {}

  std::size_t size() const { return size_; }

  // The value to be explained by the core and the level.
  double target(std::size_t entry) const {
    double target = entries_.values[entry] / scale_;
    const auto& offsets = model_.biases.offsets;
    if (offsets.empty()) return target - model_.biases.global;
    for (int level = 0; level < entries_.levels(); ++level)
      target -= offsets[entries_.modes[level]][entries_.position(level, entry)];
    return target;
  }

  // sum over entries of weight(entry, row-products . unknowns) * row-products, with 1 as the last product.
  // make() gives each thread a weight function of its own, which restarts at the beginning of every chunk.
  template <class MakeWeight>
  Vector weighted_sum(const MakeWeight& make) const {
    return kronecker_sum(rows_, make).head(static_cast<Eigen::Index>(size_));
  }

  Vector right_hand_side() const {
    return weighted_sum([&] { return [&](std::size_t entry, bool) { return target(entry); }; });
  }

  // (D^T D + ridge) x, where a row of D holds the products of one cell.
  Vector apply(const Vector& x) const {
    const std::span<const double> core(x.data(), core_size_);
    const double level = size_ > core_size_ ? x[static_cast<Eigen::Index>(core_size_)] : 0;
    const Contraction::Shared shared(entries_, model_.factors, 0, core);
    Vector result = weighted_sum([&] {
      return [&, contraction = Contraction(shared)](std::size_t entry, bool fresh) mutable {
        if (fresh) contraction.restart();
        return *contraction.at(entry) + level;
      };
    });
    result.head(static_cast<Eigen::Index>(core_size_)) +=
        ridge_.cwiseProduct(x.head(static_cast<Eigen::Index>(core_size_)));
    return result;
  }

  // The diagonal of D^T D + ridge: Kronecker sums of squared rows.
  Vector diagonal() const {
    std::vector<Matrix> squares;
    for (const Matrix& factor : model_.factors) squares.push_back(factor.cwiseAbs2());
    Vector result =
        kronecker_sum(FactorRows(entries_, squares), kOnes).head(static_cast<Eigen::Index>(size_));
    result.head(static_cast<Eigen::Index>(core_size_)) += ridge_;
    return result;
  }

  // D^T D + ridge. Row (p, q, ..), column (p', q', ..) is the sum over cells of a_p a_p' b_q b_q' ..
  Eigen::MatrixXd normal_matrix() const {
    const int levels = entries_.levels();
    const SquaredRows squared(rows_, levels);
    const Vector packed = kronecker_sum(squared, kOnes);
    Eigen::MatrixXd normal(size_, size_);
    std::array<std::size_t, kMaxOrder> strides{};  // of a level in `packed`, and in the core
    std::array<std::size_t, kMaxOrder> core_strides{};
    for (std::size_t stride = 1, core_stride = 1, level = levels; level-- > 0;) {
      strides[level] = stride;
      core_strides[level] = core_stride;
      stride *= squared.size(static_cast<int>(level));
      core_stride *= rows_.size(static_cast<int>(level));
    }
#pragma omp parallel for schedule(dynamic, 16) if (core_size_ * core_size_ > kWorthThreads)
    for (std::size_t row = 0; row < core_size_; ++row)
      for (std::size_t column = 0; column <= row; ++column) {
        std::size_t at = 0;
        for (int level = 0; level < levels; ++level) {
          const std::size_t p = row / core_strides[level] % rows_.size(level);
          const std::size_t q = column / core_strides[level] % rows_.size(level);
          at += strides[level] * (p >= q ? p * (p + 1) / 2 + q : q * (q + 1) / 2 + p);
        }
        normal(row, column) = packed[static_cast<Eigen::Index>(at)];
      }
    for (std::size_t p = 0; p < core_size_; ++p) normal(p, p) += ridge_[static_cast<Eigen::Index>(p)];
    if (size_ > core_size_) normal.row(core_size_) = weighted_sum(kOnes).transpose();
    return normal;
  }

 private:
  // The Kronecker sum over all entries, then the sum of the weights. Chunks are few enough for their
  // sums to take no more memory than the entries, and do not depend on the number of threads.
  template <class Rows, class MakeWeight>
  Vector kronecker_sum(const Rows& rows, const MakeWeight& make) const {
    std::size_t width = 1;
    for (int level = 0; level < entries_.levels(); ++level) width *= rows.size(level);
    const std::size_t room = std::max<std::size_t>(1, 4 * entries_.size() / width);
    const std::size_t chunks = std::min({chunk_count(entries_.size()), std::size_t{64}, room});
    std::vector<Vector> sums(chunks);
#pragma omp parallel if (chunks > 1)
    {
      auto weight = make();
      KroneckerSum sum(entries_, rows, 0);
#pragma omp for schedule(dynamic)
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::size_t begin = chunk * entries_.size() / chunks,
                          end = (chunk + 1) * entries_.size() / chunks;
        sum.restart();
        double weights = 0;
        for (std::size_t entry = begin; entry < end; ++entry) {
          const double value = weight(entry, entry == begin);
          weights += value;
          sum.add(entry, value);
        }
        sums[chunk].resize(static_cast<Eigen::Index>(width + 1));
        std::ranges::copy(sum.finish(), sums[chunk].data());
        sums[chunk][static_cast<Eigen::Index>(width)] = weights;
      }
    }
    Vector total = std::move(sums[0]);
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) total += sums[chunk];
    return total;
  }

  const SortedEntries& entries_;
  FactorRows rows_;
  const Tucker& model_;
  double scale_;
  Vector ridge_;  // in the order of the levels
  std::size_t core_size_, size_;
};

Vector solve_directly(const CoreProblem& problem) {
  Eigen::MatrixXd normal = problem.normal_matrix();
  // Without a ridge the equations may be singular; this addition is of the size of the rounding error.
  normal.diagonal().array() += 1e-13 * normal.diagonal().mean();
  return solve_positive(normal, problem.right_hand_side());
}

// Conjugate gradients with the diagonal as preconditioner, starting from the present core: every step lowers
// the objective, so a few in each iteration of the fit suffice.
Vector solve_by_gradients(const CoreProblem& problem, Vector x) {
  constexpr int kSteps = 20;
  constexpr double kAccuracy = 1e-8;
  const Vector right = problem.right_hand_side();
  const Vector inverse = problem.diagonal().cwiseMax(1e-300).cwiseInverse();
  Vector residual = right - problem.apply(x);
  Vector direction = inverse.cwiseProduct(residual);
  double size = residual.dot(direction);
  for (int step = 0; step < kSteps && residual.norm() > kAccuracy * right.norm(); ++step) {
    const Vector image = problem.apply(direction);
    const double length = size / direction.dot(image);
    x += length * direction;
    residual -= length * image;
    const Vector scaled = inverse.cwiseProduct(residual);
    const double next = residual.dot(scaled);
    direction = scaled + next / size * direction;
    size = next;
  }
  return x;
}

}  // namespace

void update_core(const SortedEntries& entries, double scale, const Vector& ridge, Tucker& model) {
  const DenseTensor ridges =
      permute(DenseTensor(model.core.shape(), {ridge.data(), ridge.data() + ridge.size()}), entries.modes);
  const CoreProblem problem(entries, scale, Eigen::Map<const Vector>(ridges.values().data(), ridge.size()),
                            model);
  const DenseTensor by_level = permute(model.core, entries.modes);
  const auto core_size = static_cast<Eigen::Index>(by_level.size());
  Vector x(problem.size());
  x.head(core_size) = Eigen::Map<const Vector>(by_level.values().data(), core_size);
  if (x.size() > core_size) x[core_size] = model.biases.global;
  x = by_level.size() <= kLargestDirect ? solve_directly(problem) : solve_by_gradients(problem, std::move(x));

  if (x.size() > core_size) model.biases.global = x[core_size];
  std::vector<int> back(entries.levels());
  for (int level = 0; level < entries.levels(); ++level) back[entries.modes[level]] = level;
  model.core = permute(DenseTensor(by_level.shape(), {x.data(), x.data() + core_size}), back);
}

double squared_error(const SortedEntries& entries, double scale, const Tucker& model) {
  return squared_residuals(entries, model.core, model.factors, model.biases.offsets, model.biases.global,
                           scale);
}

}  // namespace tulle
