#include <tulle/tensor/panel.hpp>

#include <algorithm>

namespace tulle {

Panel::Panel(std::size_t rows, int columns)
    : rows_(rows),
      columns_(columns),
      stride_((columns + kMultiple - 1) / kMultiple * kMultiple),
      data_(static_cast<double*>(allocate_pages(bytes())), Free{bytes()}) {
  clear();
}

Panel::Panel(const Eigen::Ref<const Matrix>& matrix)
    : Panel(static_cast<std::size_t>(matrix.rows()), static_cast<int>(matrix.cols())) {
  assign(matrix);
}

Panel::Panel(const Panel& other) : Panel(other.rows_, other.columns_) {
  std::copy_n(other.data(), size(), data());
}

Panel& Panel::operator=(const Panel& other) {
  if (this != &other) *this = Panel(other);
  return *this;
}

void Panel::clear() {
  std::fill_n(data(), size(), 0.0);
}

void Panel::assign(const Eigen::Ref<const Matrix>& matrix) {
#pragma omp parallel for schedule(static) if (rows_ > 4096)
  for (std::size_t i = 0; i < rows_; ++i)
    std::copy_n(matrix.data() + i * static_cast<std::size_t>(matrix.outerStride()), columns_, row(i));
}

Matrix Panel::matrix() const {
  Matrix result(static_cast<Eigen::Index>(rows_), columns_);
  for (std::size_t i = 0; i < rows_; ++i)
    std::copy_n(row(i), columns_, result.data() + i * static_cast<std::size_t>(columns_));
  return result;
}

}  // namespace tulle
