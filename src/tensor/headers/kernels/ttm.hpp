// Tensor times matrix: every fiber of one mode, multiplied.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sorted.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>
#include <vector>

namespace tulle {

// Expand: Y_(n) = M X_(n), with M of new size x size of the mode. Project: Y_(n) = M^T X_(n), with M of size
// of the mode x new size, as factors are stored.
enum class Apply { expand, project };

DenseTensor ttm(const DenseTensor& tensor, int mode, const Matrix& matrix, Apply apply);

// One matrix for every mode, in the order that keeps the tensors in between small.
DenseTensor ttm_chain(const DenseTensor& tensor, std::span<const Matrix> matrices, Apply apply);

// The same for the given modes only; the matrices of the others are not looked at.
DenseTensor ttm_chain(const DenseTensor& tensor, std::span<const Matrix> matrices, Apply apply,
                      std::vector<int> modes);

// The listed fibers of a sparse tensor along one mode, multiplied; unlisted cells count as zeros, so fibers
// without a listed cell are zero and not held. The cells name the fibers, with position 0 in the multiplied
// mode.
struct Fibers {
  int mode;
  Cells cells;
  Matrix values;  // a row a fiber
};
Fibers ttm(const SparseTensor& tensor, int mode, const Matrix& matrix, Apply apply);

// X x_m M_m^T over all modes m but one, unfolded along that one: size of the mode x product of the other new
// sizes.
Matrix project_all_but(const SparseTensor& tensor, std::span<const Matrix> matrices, int mode);

// The same for entries sorted once and used often: all modes but that of level 0, columns in C order of the
// other levels.
Matrix project_all_but(const SortedEntries& entries, std::span<const Matrix> matrices);

}  // namespace tulle
