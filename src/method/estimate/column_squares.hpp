// Mean squares of the columns of factors.
#pragma once

#include <tulle/tensor/model_layout.hpp>

#include <span>

namespace tulle {

inline double mean_square(const ModelLayout& layout, std::span<const double> numbers, int mode,
                          std::size_t column) {
  const std::size_t rows = layout.shape()[mode], columns = layout.columns(mode);
  double squares = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const double number = numbers[layout.start(mode) + row * columns + column];
    squares += number * number;
  }
  return squares / static_cast<double>(rows);
}

}  // namespace tulle
