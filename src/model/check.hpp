// Checks shared by models.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/model/biases.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

inline Shape shape_of_factors(const std::vector<Matrix>& factors) {
  std::vector<std::uint64_t> rows;
  for (const Matrix& factor : factors) rows.push_back(static_cast<std::uint64_t>(factor.rows()));
  return Shape(rows);
}

inline void check_cells(const Shape& model, const Cells& cells) {
  if (cells.shape().order() != model.order())
    fail("the model is {}, the cells are of a {} tensor", model.text(), cells.shape().text());
  for (int mode = 0; mode < model.order(); ++mode)
    if (cells.shape()[mode] > model[mode])
      fail("the cells are of a {} tensor, larger than the model's {}", cells.shape().text(), model.text());
}

}  // namespace tulle
