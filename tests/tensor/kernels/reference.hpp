// The kernels by their definitions, cell by cell: what kernels and devices are held against.
#pragma once

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>
#include <tulle/tensor/kernels/normal_equations.hpp>
#include <tulle/tensor/kernels/ttm.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tulle::reference {

using Cell = std::array<Index, kMaxOrder>;

inline Cell cell_at(const Shape& shape, std::size_t offset) {
  Cell cell{};
  for (int mode = 0; mode < shape.order(); ++mode)
    cell[mode] = static_cast<Index>(offset / shape.stride(mode) % shape[mode]);
  return cell;
}

// visit(cell, value) for every cell, or every listed one.
template <class Visit>
void for_each_cell(const DenseTensor& tensor, const Visit& visit) {
  for (std::size_t c = 0; c < tensor.size(); ++c) visit(cell_at(tensor.shape(), c), tensor.values()[c]);
}
template <class Visit>
void for_each_cell(const SparseTensor& tensor, const Visit& visit) {
  for (std::size_t e = 0; e < tensor.size(); ++e)
    visit(tensor.cells().cell(e), static_cast<double>(tensor.values()[e]));
}

// prod over all modes but one of factors[m][i_m, r]; mode -1: over all.
inline double product_without(std::span<const Matrix> factors, const Cell& cell, int mode, Eigen::Index r) {
  double product = 1;
  for (int other = 0; other < static_cast<int>(factors.size()); ++other)
    if (other != mode) product *= factors[other](cell[other], r);
  return product;
}

template <class Tensor>
Matrix mttkrp(const Tensor& tensor, std::span<const Matrix> factors, int mode) {
  Matrix result = Matrix::Zero(tensor.shape()[mode], factors[0].cols());
  for_each_cell(tensor, [&](const Cell& cell, double value) {
    for (Eigen::Index r = 0; r < result.cols(); ++r)
      result(cell[mode], r) += value * product_without(factors, cell, mode, r);
  });
  return result;
}

inline DenseTensor ttm(const DenseTensor& tensor, int mode, const Matrix& matrix, Apply apply) {
  const Eigen::Index size = apply == Apply::expand ? matrix.rows() : matrix.cols();
  DenseTensor result(tensor.shape().with(mode, static_cast<std::uint64_t>(size)));
  for_each_cell(tensor, [&](const Cell& cell, double value) {
    Cell to = cell;
    for (Eigen::Index p = 0; p < size; ++p) {
      to[mode] = static_cast<Index>(p);
      result[to] += value * (apply == Apply::expand ? matrix(p, cell[mode]) : matrix(cell[mode], p));
    }
  });
  return result;
}

// X times M_m^T in all modes m but one, unfolded along that one, columns in C order.
template <class Tensor>
Matrix project_all_but(const Tensor& tensor, std::span<const Matrix> matrices, int mode) {
  Eigen::Index width = 1;
  for (int other = 0; other < tensor.order(); ++other)
    if (other != mode) width *= matrices[other].cols();
  Matrix result = Matrix::Zero(tensor.shape()[mode], width);
  for_each_cell(tensor, [&](const Cell& cell, double value) {
    for (Eigen::Index column = 0; column < width; ++column) {
      double product = value;
      Eigen::Index rest = column;
      for (int other = tensor.order() - 1; other >= 0; --other)
        if (other != mode) {
          product *= matrices[other](cell[other], rest % matrices[other].cols());
          rest /= matrices[other].cols();
        }
      result(cell[mode], column) += product;
    }
  });
  return result;
}

// Of the symmetric matrices, the part on and above the diagonal.
inline Matrix normal_equations(const SparseTensor& tensor, std::span<const Matrix> factors,
                               std::span<const Vector> offsets, std::span<const Matrix> variances, int mode) {
  const NormalEquations layout(static_cast<int>(factors[0].cols()));
  Matrix result = Matrix::Zero(tensor.shape()[mode], static_cast<Eigen::Index>(layout.size()));
  for_each_cell(tensor, [&](const Cell& cell, double value) {
    double y = value;
    for (int other = 0; other < tensor.order(); ++other)
      if (other != mode) y -= offsets[other][cell[other]];
    double* const sums = &result(cell[mode], 0);
    double* const right = sums + layout.stride * layout.stride;
    for (int r = 0; r < layout.rank; ++r) {
      const double h = product_without(factors, cell, mode, r);
      for (int s = r; s < layout.rank; ++s)
        sums[r * layout.stride + s] += h * product_without(factors, cell, mode, s);
      right[r] += y * h;
      right[layout.stride + r] += h;
      if (variances.empty()) continue;
      double square = 1;  // the mean of h^2
      for (int other = 0; other < tensor.order(); ++other)
        if (other != mode)
          square *= std::pow(factors[other](cell[other], r), 2) + variances[other](cell[other], r);
      right[2 * layout.stride + r] += square - h * h;
    }
    double* const scalars = right + 3 * layout.stride;
    scalars[0] += y;
    scalars[1] += y * y;
    scalars[2] += 1;
  });
  return result;
}

inline double offsets_of(std::span<const Vector> offsets, const Cell& cell) {
  double sum = 0;
  for (std::size_t mode = 0; mode < offsets.size(); ++mode) sum += offsets[mode][cell[mode]];
  return sum;
}

// Of x - level - scale (model), the model being a CP model with offsets.
inline double squared_residuals(const SparseTensor& cells, std::span<const Matrix> factors,
                                std::span<const Vector> offsets, double level, double scale) {
  double sum = 0;
  for_each_cell(cells, [&](const Cell& cell, double value) {
    double prediction = offsets_of(offsets, cell);
    for (Eigen::Index r = 0; r < factors[0].cols(); ++r) prediction += product_without(factors, cell, -1, r);
    sum += std::pow(value - level - scale * prediction, 2);
  });
  return sum;
}

// Of x / scale - level - (model), the model being a Tucker model with offsets, or none.
inline double squared_residuals(const SparseTensor& cells, const DenseTensor& core,
                                std::span<const Matrix> factors, std::span<const Vector> offsets,
                                double level, double scale) {
  double sum = 0;
  for_each_cell(cells, [&](const Cell& cell, double value) {
    double prediction = level + offsets_of(offsets, cell);
    for_each_cell(core, [&](const Cell& component, double weight) {
      for (int mode = 0; mode < cells.order(); ++mode) weight *= factors[mode](cell[mode], component[mode]);
      prediction += weight;
    });
    sum += std::pow(value / scale - prediction, 2);
  });
  return sum;
}

// What a cell predicts, and its derivative with respect to every number of the model, both from
//   f = sum over components of weight * prod_m row_m[component of m].
struct Derivative {
  double prediction = 0;
  std::vector<double> numbers;
};

inline Derivative derivative(const ModelLayout& layout, std::span<const double> numbers, const Cell& cell) {
  Derivative result{0, std::vector<double>(layout.size())};
  const int order = layout.order();
  const auto add_component = [&](const std::array<std::size_t, kMaxOrder>& places, double weight,
                                 std::size_t weight_place) {
    double product = 1;
    for (int mode = 0; mode < order; ++mode) product *= numbers[places[mode]];
    result.prediction += weight * product;
    if (weight_place < layout.size()) result.numbers[weight_place] += product;
    for (int mode = 0; mode < order; ++mode) {
      double others = weight;
      for (int other = 0; other < order; ++other)
        if (other != mode) others *= numbers[places[other]];
      result.numbers[places[mode]] += others;
    }
  };
  const std::size_t components = layout.has_core() ? layout.core_size() : layout.columns(0);
  for (std::size_t component = 0; component < components; ++component) {
    std::array<std::size_t, kMaxOrder> places{};
    std::size_t rest = component;
    for (int mode = order - 1; mode >= 0; --mode) {
      const std::size_t p = layout.has_core() ? rest % layout.columns(mode) : component;
      rest /= layout.columns(mode);
      places[mode] = layout.row(mode, cell[mode]) + p;
    }
    const std::size_t at = layout.core_start() + component;
    layout.has_core() ? add_component(places, numbers[at], at) : add_component(places, 1, layout.size());
  }
  return result;
}

// Adds weight * gradient, shortened to the clip.
inline void add_clipped(const std::vector<double>& gradient, double clip, ClippedSum& sum) {
  double square = 0;
  for (double number : gradient) square += number * number;
  const double length = std::sqrt(square);
  ++(length <= clip ? sum.whole : sum.clipped);
  for (std::size_t i = 0; i < gradient.size(); ++i)
    sum.numbers[i] += gradient[i] * (length <= clip ? 1 : clip / length);
}

inline ClippedSum cell_gradients(const SparseTensor& cells, const ModelLayout& layout,
                                 const Standard& standard, std::span<const double> numbers, double clip) {
  ClippedSum sum{std::vector<double>(layout.size())};
  for_each_cell(cells, [&](const Cell& cell, double value) {
    Derivative of = derivative(layout, numbers, cell);
    const double error = (value - standard.level) / standard.scale - of.prediction;
    for (double& number : of.numbers) number *= error;
    add_clipped(of.numbers, clip, sum);
  });
  return sum;
}

inline double standardised(const SliceTables& tables, const Cell& cell, double value) {
  const Standard& of = tables.standards[tables.table_mode < 0 ? 0 : cell[tables.table_mode]];
  return (value - of.level) / of.scale;
}

// The model with the row of a slice that minimises sum (x - f)^2 + ridge |row|^2 over the slice's cells: f is
// linear in the row, so that its derivative is the row of the regression.
inline std::vector<double> with_own_row(const SparseTensor& cells, const ModelLayout& layout, int mode,
                                        Index slice, const SliceTables& tables,
                                        std::span<const double> numbers, double ridge) {
  const auto size = static_cast<Eigen::Index>(layout.columns(mode));
  Eigen::MatrixXd matrix = ridge * Eigen::MatrixXd::Identity(size, size);
  Vector right = Vector::Zero(size);
  for_each_cell(cells, [&](const Cell& cell, double value) {
    if (cell[mode] != slice) return;
    const Derivative of = derivative(layout, numbers, cell);
    const Eigen::Map<const Vector> h(of.numbers.data() + layout.row(mode, slice), size);
    matrix += h * h.transpose();
    right += standardised(tables, cell, value) * h;
  });
  std::vector<double> result(numbers.begin(), numbers.end());
  Eigen::Map<Vector>(result.data() + layout.row(mode, slice), size) = solve_symmetric(matrix, right);
  return result;
}

inline ClippedSum slice_gradients(const SparseTensor& cells, const ModelLayout& layout, int mode,
                                  const SliceTables& tables, std::span<const double> numbers, double ridge,
                                  std::span<const std::uint64_t> slices, double clip) {
  ClippedSum sum{std::vector<double>(layout.size())};
  for (const std::uint64_t slice : slices) {
    const auto own = with_own_row(cells, layout, mode, static_cast<Index>(slice), tables, numbers, ridge);
    std::vector<double> gradient(layout.size());
    bool empty = true;
    for_each_cell(cells, [&](const Cell& cell, double value) {
      if (cell[mode] != slice) return;
      empty = false;
      Derivative of = derivative(layout, own, cell);
      for (int other = 0; other < layout.order(); ++other)
        if (other == mode || tables.is_constant(other, cell[other]))
          std::fill_n(of.numbers.begin() + static_cast<std::ptrdiff_t>(layout.row(other, cell[other])),
                      layout.columns(other), 0.0);
      const double error = standardised(tables, cell, value) - of.prediction;
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += error * of.numbers[i];
    });
    if (!empty) add_clipped(gradient, clip, sum);
  }
  return sum;
}

inline Matrix cell_sums(const Matrix& x, const Matrix& t, const Matrix& o, double p) {
  Matrix sums = Matrix::Zero(t.rows(), t.cols());
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      double m = 0;
      for (Eigen::Index r = 0; r < t.cols(); ++r) m += t(i, r) * o(j, r);
      for (Eigen::Index r = 0; r < t.cols(); ++r)
        sums(i, r) += x(i, j) * (p == 0 ? 1 : std::pow(m, -p)) * o(j, r);
    }
  return sums;
}

// The block circulant matrix of A times the unfolded B.
inline DenseTensor t_product(const DenseTensor& a, const DenseTensor& b) {
  DenseTensor result(a.shape().with(1, b.shape()[1]));
  for_each_cell(a, [&](const Cell& left, double value) {
    for_each_cell(b, [&](const Cell& right, double other) {
      if (left[1] != right[0]) return;
      Cell to = {left[0], right[1]};
      for (int mode = 2; mode < a.order(); ++mode) to[mode] = (left[mode] + right[mode]) % a.shape()[mode];
      result[to] += value * other;
    });
  });
  return result;
}

}  // namespace tulle::reference
