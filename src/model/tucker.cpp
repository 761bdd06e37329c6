#include "check.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/model/cp.hpp>
#include <tulle/model/tucker.hpp>
#include <tulle/tensor/kernels/sweep.hpp>
#include <tulle/tensor/kernels/ttm.hpp>

namespace tulle {
namespace {

// Contracts the core with one row after the other, first mode first: each step leaves 1/rank of the values,
// so a cell costs about as many multiplications as the core has entries.
class CoreContraction {
 public:
  explicit CoreContraction(const Tucker& model)
      : model_(model), now_(model.core.size() / model.core.shape()[0]), next_(now_.size()) {}

  double at(std::span<const Index> cell) {
    const double* from = model_.core.values().data();
    std::size_t size = model_.core.size();
    for (std::size_t mode = 0; mode < model_.factors.size(); ++mode) {
      const Matrix& factor = model_.factors[mode];
      const auto rank = static_cast<std::size_t>(factor.cols());
      size /= rank;
      contract_leading(&factor(cell[mode], 0), rank, from, size, now_.data());
      from = now_.data();
      now_.swap(next_);
    }
    return *from + model_.biases.at(cell);
  }

 private:
  const Tucker& model_;
  std::vector<double> now_, next_;
};

}  // namespace

Shape Tucker::shape() const {
  return shape_of_factors(factors);
}

double Tucker::at(std::span<const Index> cell) const {
  if (!shape().contains(cell))
    fail("cell ({}) lies outside a {} model", fmt::join(cell, ", "), shape().text());
  return CoreContraction(*this).at(cell);
}

std::vector<double> Tucker::predict(const Cells& cells) const {
  check_cells(shape(), cells);
  std::vector<double> result(cells.size());
#pragma omp parallel if (cells.size() * core.size() > kWorthThreads)
  {
    CoreContraction contraction(*this);
#pragma omp for schedule(static)
    for (std::size_t entry = 0; entry < cells.size(); ++entry)
      result[entry] = contraction.at(cells.cell(entry));
  }
  return result;
}

DenseTensor Tucker::reconstruct() const {
  DenseTensor result = ttm_chain(core, factors, Apply::expand);
  if (!biases.empty()) add_biases(biases, result);
  return result;
}

Tucker tucker_of(const Cp& model) {
  if (model.rank() == 0) {  // a core has at least one value
    std::vector<Matrix> factors;
    for (const Matrix& factor : model.factors) factors.push_back(Matrix::Zero(factor.rows(), 1));
    return {DenseTensor(Shape(std::vector<std::uint64_t>(factors.size(), 1))), std::move(factors),
            model.biases};
  }
  const std::vector<std::uint64_t> ranks(model.factors.size(), static_cast<std::uint64_t>(model.rank()));
  DenseTensor core{Shape(ranks)};
  const std::size_t step =
      (core.size() - 1) / std::max(1, model.rank() - 1);  // distance between entries of the diagonal
  for (int r = 0; r < model.rank(); ++r) core.values()[r * step] = model.weights[r];
  return {std::move(core), model.factors, model.biases};
}

void check(const Tucker& model) {
  const Shape shape = model.shape();
  if (shape.order() != model.core.order())
    fail("tucker model: the core has {} modes, but there are {} factors", model.core.order(), shape.order());
  for (int mode = 0; mode < shape.order(); ++mode)
    if (model.factors[mode].cols() != static_cast<Eigen::Index>(model.core.shape()[mode]))
      fail("tucker model: the factor of mode {} has {} columns, but the core is {}", mode + 1,
           model.factors[mode].cols(), model.core.shape().text());
  check_biases(model.biases, shape);
}

}  // namespace tulle
