// The kernels: what all methods spend their time in, as one table of functions for each device.
//
// Every entry is defined by the formula beside it, and tests/tensor/kernels/reference.hpp computes it so,
// cell by cell. tests/tensor/kernels/conformance_test.cpp holds a table against that reference, over orders,
// ranks, modes and layouts. Another device is another table: its kernels may take other routes, and its data
// other layouts, while the answers agree to the tolerance of the suite.
//
// Solvers call the CPU forms directly, through the headers of this folder, because they sort their entries
// once and use them often (tensor/sorted.hpp); the entries of the table take plain tensors and prepare them
// first.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>
#include <string_view>

namespace tulle {

// What the kernels of CP completion read of a model: level + scale * (sum_r prod_m factors[m][i_m, r] +
// sum_m offsets[m][i_m]).
struct CpState {
  std::span<const Matrix> factors;
  std::span<const Vector> offsets;
  double level = 0, scale = 1;
};

// The same of Tucker completion, for values divided by the scale: level + core contracted with one row per
// mode, plus sum_m offsets[m][i_m].
struct TuckerState {
  const DenseTensor& core;
  std::span<const Matrix> factors;
  std::span<const Vector> offsets;  // may be none
  double level = 0, scale = 1;
};

struct Kernels {
  std::string_view name;

  // MTTKRP: M[i, r] = sum over cells with position i in the mode of X[cell] prod_(m != mode) factors[m][i_m,
  // r]. Unlisted cells count as zeros.
  Matrix (*mttkrp_dense)(const DenseTensor& tensor, std::span<const Matrix> factors, int mode);
  Matrix (*mttkrp_sparse)(const SparseTensor& tensor, std::span<const Matrix> factors, int mode);

  // Tensor times matrix: Y_(mode) = M X_(mode), or M^T X_(mode).
  DenseTensor (*ttm)(const DenseTensor& tensor, int mode, const Matrix& matrix, Apply apply);
  // X times M_m^T in all modes m but one, unfolded along that one, columns in C order.
  Matrix (*project_all_but)(const SparseTensor& tensor, std::span<const Matrix> matrices, int mode);

  // Normal equations of the rows of a CP factor: one row of sums for each position of the mode, as laid out
  // by NormalEquations (kernels/normal_equations.hpp). Variances of the factors' entries: one matrix per
  // mode, or none. Level and scale of the state are not used.
  Matrix (*normal_equations)(const SparseTensor& tensor, const CpState& state,
                             std::span<const Matrix> variances, int mode);

  // Sums of squared residuals over the listed cells: x - model (CP), x / scale - model (Tucker).
  double (*residuals_cp)(const SparseTensor& cells, const CpState& state);
  double (*residuals_tucker)(const SparseTensor& cells, const TuckerState& state);

  // Sums over the cells of a matrix x with the model m = t o^T: S[i, r] = sum_j x_ij m_ij^-p o[j, r]
  // (kernels/cell_sums.hpp). Where p is not 0, all m are above 0.
  Matrix (*cell_sums)(const Matrix& x, const Matrix& t, const Matrix& o, double p);

  // Sums of clipped gradients over all cells, or all slices of a mode (kernels/clipped_gradients.hpp).
  ClippedSum (*cell_gradients)(const SparseTensor& cells, const ModelLayout& layout, const Standard& standard,
                               std::span<const double> numbers, double clip);
  ClippedSum (*slice_gradients)(const SparseTensor& cells, const ModelLayout& layout, int mode,
                                const Standard& standard, std::span<const double> numbers, double ridge,
                                double clip);

  // The t-product, slice by slice in the Fourier domain: C(i, j) = sum_k A(i, k) conv B(k, j).
  DenseTensor (*t_product)(const DenseTensor& a, const DenseTensor& b);
};

const Kernels& cpu_kernels();

}  // namespace tulle
