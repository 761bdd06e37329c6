// A factor as the kernels read it: rows start on a cache line if their length allows and are padded with
// zeros to a multiple of 4, so that no kernel needs code for a remainder.
#pragma once

#include <tulle/base/large_pages.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstddef>
#include <memory>

namespace tulle {

class Panel {
 public:
  static constexpr int kMultiple = 4;

  Panel(std::size_t rows, int columns);  // zeros
  explicit Panel(const Eigen::Ref<const Matrix>& matrix);
  Panel(const Panel& other);
  Panel& operator=(const Panel& other);
  Panel(Panel&&) noexcept = default;
  Panel& operator=(Panel&&) noexcept = default;

  std::size_t rows() const { return rows_; }
  int columns() const { return columns_; }
  int stride() const { return stride_; }  // including the padding
  double* row(std::size_t i) { return data_.get() + i * stride_; }
  const double* row(std::size_t i) const { return data_.get() + i * stride_; }
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

  void clear();                                         // to zeros
  void assign(const Eigen::Ref<const Matrix>& matrix);  // of the same size
  Matrix matrix() const;                                // without the padding

 private:
  struct Free {
    std::size_t bytes;
    void operator()(double* memory) const { free_pages(memory, bytes); }
  };

  std::size_t size() const { return rows_ * static_cast<std::size_t>(stride_); }
  std::size_t bytes() const { return (size() + 1) * sizeof(double); }

  std::size_t rows_;
  int columns_;
  int stride_;
  std::unique_ptr<double[], Free> data_;
};

}  // namespace tulle
