// The singular value decomposition of the t-product, its norm, and the norm's proximal operator.
//
// The tensor nuclear norm is |X|_TNN = (1 / L) sum over the L Fourier slices of their nuclear norms, with the
// transform not normalised. With that scale the proximal operator of t |X|_TNN lowers every singular value of
// every Fourier slice by t.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/tubal/spectrum.hpp>

#include <complex>
#include <variant>
#include <vector>

namespace tulle {

// X = U * S * V^T with U^T * U = V^T * V = I. In every Fourier slice the diagonal of S is non-negative and
// descends.
struct TSvd {
  DenseTensor u;        // n1 x r x n3 ..
  DenseTensor s;        // r x n3 .. : the diagonal tubes of the f-diagonal S
  DenseTensor v;        // n2 x r x n3 ..
  double residual = 0;  // |X - U * S * V^T|: the part beyond the r singular tubes
};

// All r = min(n1, n2) tubes of the decomposition, or the first `rank`: the best one of that tubal rank.
TSvd t_svd(const DenseTensor& tensor, int rank = 0);

// The proximal operator on a spectrum, for iterations that apply it repeatedly: it keeps the singular vectors
// of the last result.
class SpectralShrinkage {
 public:
  struct Outcome {
    double nuclear_norm = 0;    // of the result
    double squared_change = 0;  // |before - after|^2, of the tensors behind the spectra
    int rank = 0;               // tubal rank of the result: the largest rank of a slice
  };

  // Lowers the singular values of every slice by `threshold` > 0, down to zero, and keeps at most `max_rank`
  // per slice.
  Outcome shrink(Spectrum& spectrum, double threshold, int max_rank);

  // The t-SVD of the last result, which the caller still has, with max(1, tubal rank) tubes.
  TSvd factors(const Spectrum& result) const;

 private:
  template <class T>
  using Columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  std::vector<std::variant<Columns<double>, Columns<std::complex<double>>>> bases_;  // one per slice
};

}  // namespace tulle
