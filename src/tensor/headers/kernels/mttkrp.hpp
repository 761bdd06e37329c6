// Matricised tensor times Khatri-Rao product: M[i, r] = sum over cells with position i in the mode of
// X[cell] * product over the other modes of factor[position, r]. The bulk of the work of every CP method.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/sorted.hpp>

#include <optional>
#include <span>
#include <vector>

namespace tulle {

// One factor per mode, of which the mode's own is not read.
Matrix mttkrp(const DenseTensor& tensor, std::span<const Matrix> factors, int mode);

// Of the mode that the rows of the entries belong to. Entries that are not listed count as zeros.
void mttkrp(const SortedEntries& entries, std::span<const Panel> factors, Matrix& result);
Matrix mttkrp(const SparseTensor& tensor, std::span<const Matrix> factors, int mode);

// Every mode in turn while the factors change, as alternating methods need it, in two passes over the tensor
// instead of one per mode: the modes are split in two halves, and the product with the factors of one half
// serves all modes of the other, whose factors may change meanwhile (Phan, Tichavsky and Cichocki 2013).
class DenseSweep {
 public:
  explicit DenseSweep(const DenseTensor& tensor);

  // To be called for mode 0, 1, ..; only factors of modes that were asked for since mode 0 may have changed
  // in between.
  void mttkrp(std::span<const Matrix> factors, int mode, Matrix& result);

 private:
  const DenseTensor& tensor_;
  int split_;  // modes 0 .. split_-1 are the left half
  // The tensor times the factors of the other half, for the modes of each half. They are made anew in every
  // sweep, in the same memory.
  std::optional<Panel> left_partial_, right_partial_;
};

}  // namespace tulle
