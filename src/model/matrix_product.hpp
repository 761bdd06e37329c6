// A sum over common indices that is a product of matrices.
#pragma once

#include <tulle/model/contraction.hpp>

#include <optional>

namespace tulle {

class MatrixProduct {
 public:
  // None if the sum is not such a product: the indices of rows, of columns and of the terms must each be
  // neighbours in every array. None for small products either, which are not worth copying operands for.
  static std::optional<MatrixProduct> find(std::span<const Index> sizes, const Axes& result, const Axes& left,
                                           const Axes& right);

  void run(double* result, const double* left, const double* right) const;

 private:
  struct Operands {
    Axes rows, terms, columns;
  };

  MatrixProduct(std::span<const Index> sizes, const Operands& axes, const Axes& left, const Axes& right);

  std::size_t rows_, terms_, columns_;
  bool left_by_rows_, right_by_terms_;  // the order of the operands' values
  bool is_swapped_ = false;             // the rows of the result are those of the right operand
};

}  // namespace tulle
