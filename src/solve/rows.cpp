#include <tulle/base/error.hpp>
#include <tulle/solve/rows.hpp>
#include <tulle/tensor/sorted.hpp>

#include <Eigen/Cholesky>

namespace tulle {
namespace {

// Sets h such that a cell's prediction, without biases, is <h, row>, where row is that of `mode`.
void other_modes(const Cp& model, int mode, std::span<const Index> cell, Eigen::Ref<Vector> h) {
  h = model.weights;
  for (int other = 0; other < static_cast<int>(model.factors.size()); ++other)
    if (other != mode) h.array() *= model.factors[other].row(cell[other]).transpose().array();
}

void other_modes(const Tucker& model, int mode, std::span<const Index> cell, Eigen::Ref<Vector> h) {
  const Shape& core = model.core.shape();
  h.setZero();
  for (std::size_t offset = 0; offset < model.core.size(); ++offset) {
    double term = model.core.values()[offset];
    Index own = 0;
    for (int other = 0; other < core.order(); ++other) {
      const auto component = static_cast<Index>(offset / core.stride(other) % core[other]);
      if (other == mode)
        own = component;
      else
        term *= model.factors[other](cell[other], component);
    }
    h[own] += term;
  }
}

void check_fits(const Shape& model, const Shape& observed, int mode) {
  bool fits = model.order() == observed.order();
  for (int other = 0; fits && other < model.order(); ++other)
    fits = other == mode || observed[other] <= model[other];
  if (!fits)
    fail("the new rows lie in a {} tensor, the model is {}: only mode {} may differ", observed.text(),
         model.text(), mode + 1);
}

// Ridge regression of one row, with an offset as the last unknown if the model has offsets.
class RowFit {
 public:
  RowFit(Eigen::Index rank, bool offset)
      : offset_(offset), h_(rank + (offset ? 1 : 0)), gram_(h_.size(), h_.size()), right_(h_.size()) {}

  template <class M>
  Vector solve(const M& model, int mode, const SortedEntries& entries, std::size_t row, double ridge) {
    gram_.setZero();
    right_.setZero();
    const Eigen::Index rank = h_.size() - (offset_ ? 1 : 0);
    std::array<Index, kMaxOrder> cell{};
    for (std::size_t e = entries.starts[row]; e < entries.starts[row + 1]; ++e) {
      for (int level = 0; level < entries.levels(); ++level)
        cell[entries.modes[level]] = entries.position(level, e);
      other_modes(model, mode, cell, h_.head(rank));
      if (offset_) h_[rank] = 1;
      gram_.selfadjointView<Eigen::Lower>().rankUpdate(h_);
      right_ += h_ * (entries.values[e] - rest(model.biases, mode, cell));
    }
    const auto cells = static_cast<double>(entries.starts[row + 1] - entries.starts[row]);
    gram_.diagonal().head(rank).array() +=
        ridge * gram_.diagonal().head(rank).mean() / cells + std::numeric_limits<double>::min();
    if (offset_) gram_(rank, rank) += ridge;
    return gram_.selfadjointView<Eigen::Lower>().ldlt().solve(right_);
  }

 private:
  static double rest(const Biases& biases, int mode, std::span<const Index> cell) {
    double sum = biases.global;
    for (std::size_t other = 0; other < biases.offsets.size(); ++other)
      if (static_cast<int>(other) != mode) sum += biases.offsets[other][cell[other]];
    return sum;
  }

  bool offset_;
  Vector h_;
  Eigen::MatrixXd gram_;
  Vector right_;
};

void extend(Matrix& rows, Eigen::Index count) {
  const Eigen::Index before = rows.rows();
  if (count <= before) return;
  rows.conservativeResize(count, Eigen::NoChange);
  rows.bottomRows(count - before).setZero();
}

void extend(Vector& entries, Eigen::Index count) {
  const Eigen::Index before = entries.size();
  if (count <= before) return;
  entries.conservativeResize(count);
  entries.tail(count - before).setZero();
}

template <class M>
Model fit(M model, int mode, const SparseTensor& observed, double ridge) {
  check_fits(model.shape(), observed.shape(), mode);
  const SortedEntries entries = sort_by_mode(observed, mode, Levels::small_first);
  const bool offsets = !model.biases.offsets.empty();
  Matrix& factor = model.factors[mode];
  extend(factor, observed.shape()[mode]);
  if (offsets) extend(model.biases.offsets[mode], observed.shape()[mode]);
#pragma omp parallel
  {
    RowFit regression(factor.cols(), offsets);
#pragma omp for schedule(dynamic, 16)
    for (std::size_t row = 0; row < entries.rows.size(); ++row) {
      const Vector solution = regression.solve(model, mode, entries, row, ridge);
      factor.row(entries.rows[row]) = solution.head(factor.cols()).transpose();
      if (offsets) model.biases.offsets[mode][entries.rows[row]] = solution[factor.cols()];
    }
  }
  return model;
}

}  // namespace

Model fit_rows(const Model& model, int mode, const SparseTensor& observed, const RowsOptions& options) {
  if (!(options.ridge >= 0)) fail_usage("ridge: {} is negative; give 0 or more", options.ridge);
  if (mode < 0 || mode >= shape(model).order())
    fail_usage("there is no mode {}; the model has {}", mode + 1, shape(model).order());
  if (const auto* cp = std::get_if<Cp>(&model)) return fit(*cp, mode, observed, options.ridge);
  if (const auto* tucker = std::get_if<Tucker>(&model)) return fit(*tucker, mode, observed, options.ridge);
  fail_usage("new rows need a cp or tucker model; this one is {}", name(kind(model)));
}

}  // namespace tulle
