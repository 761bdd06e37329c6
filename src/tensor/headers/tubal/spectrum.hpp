// The Fourier transform of a real tensor along modes 3..N, in which the t-product becomes a matrix product
// per slice.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>

#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tulle {

using ComplexMatrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Slices of a real tensor come in conjugate pairs: the slice at -k (in every mode, modulo its size) is the
// conjugate of the one at k. One of each pair is stored. A slice that is its own partner, 2k = 0 modulo the
// size in every mode, is real and is stored as a real matrix, so that everything computed from it stays real.
// In total that is as many doubles as the tensor has cells.
//
// The transform is not normalised; inverse() divides by the number of slices. A stored slice is contiguous,
// in row order.
class Spectrum {
 public:
  explicit Spectrum(const Shape& shape);         // zeros; an Error unless there are 3 modes or more
  explicit Spectrum(const DenseTensor& tensor);  // its transform
  ~Spectrum();
  Spectrum(Spectrum&&) noexcept;
  Spectrum& operator=(Spectrum&&) noexcept;
  Spectrum(const Spectrum&);
  Spectrum& operator=(const Spectrum&);

  DenseTensor inverse() const;

  const Shape& shape() const { return shape_; }
  Index rows() const { return shape_[0]; }
  Index columns() const { return shape_[1]; }
  std::size_t depth() const { return depth_; }  // length of a tube: the number of slices, stored or not

  std::size_t slices() const;             // stored slices
  bool is_real(std::size_t slice) const;  // whether it is its own partner
  double weight(std::size_t slice) const {
    return is_real(slice) ? 1 : 2;
  }                                                // the number of slices that it represents
  std::size_t frequency(std::size_t slice) const;  // its place in C order of modes 3..N

  std::span<double> values(std::size_t slice);  // interleaved real and imaginary parts unless is_real
  std::span<const double> values(std::size_t slice) const;
  Eigen::Map<Matrix> real(std::size_t slice);
  Eigen::Map<const Matrix> real(std::size_t slice) const;
  Eigen::Map<ComplexMatrix> complex(std::size_t slice);
  Eigen::Map<const ComplexMatrix> complex(std::size_t slice) const;

  // Calls f(slice as a matrix); the matrix is real or complex, like the slice.
  template <class F>
  decltype(auto) with_slice(std::size_t slice, F&& f) {
    return is_real(slice) ? f(real(slice)) : f(complex(slice));
  }
  template <class F>
  decltype(auto) with_slice(std::size_t slice, F&& f) const {
    return is_real(slice) ? f(real(slice)) : f(complex(slice));
  }

  // Lets a function change the tensor behind the spectrum in one pass without storing it: tubes are
  // transformed back, passed to the function and transformed again, one block at a time. A block holds
  // kTubesPerBlock tubes (the last one fewer) of depth() values each, in C order, so that it starts at cell
  // block * kTubesPerBlock * depth() of the tensor. Several threads visit blocks at once; the division into
  // blocks does not depend on the number of threads.
  static constexpr std::size_t kTubesPerBlock = 16;
  using TubeVisitor = std::function<void(std::size_t block, std::span<double> tubes)>;
  void update_tubes(const TubeVisitor& visit);
  std::size_t blocks() const;

 private:
  class Plan;

  Shape shape_;
  std::size_t depth_;
  std::shared_ptr<const Plan> plan_;
  std::vector<double> values_;
};

}  // namespace tulle
