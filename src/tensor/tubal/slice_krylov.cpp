#include "slice_krylov.hpp"

#include "kernels/products.hpp"
#include "lapack.hpp"

#include <tulle/base/random.hpp>
#include <tulle/tensor/decompositions.hpp>

namespace tulle {
namespace {

constexpr int kBlock = 4;            // columns that are multiplied at a time
constexpr double kAccuracy = 1e-10;  // of the invariant subspace, see the header
constexpr double kMostShare = 0.35;  // of the dimension; above it the whole decomposition is cheaper

// K = [K_1 .. K_m] with orthonormal columns and A K_j = K_(j-1) B_(j-1)^H + K_j A_j + K_(j+1) B_j: the block
// Lanczos recurrence; every new block is made orthogonal to all before it, twice.
template <class T>
class BlockLanczos {
 public:
  BlockLanczos(const Columns<T>& a, int most)
      : a_(a), basis_(a.rows(), most + kBlock), projected_(Columns<T>::Zero(most + kBlock, most + kBlock)) {
    Random random(1);  // fixed: results do not depend on which thread computes what
    Columns<T> start(a.rows(), kBlock);
    for (T& entry : start.reshaped()) {
      if constexpr (std::is_same_v<T, double>)
        entry = random.normal();
      else
        entry = {random.normal(), random.normal()};
    }
    lapack::orthonormalise(as_int(a.rows()), kBlock, start.data());
    basis_.leftCols(kBlock) = start;
  }

  int size() const { return size_; }
  bool ended() const { return ended_; }  // the space is invariant and cannot grow

  void grow() {
    Columns<T> next = product<T>(CblasNoTrans, a_, CblasNoTrans, basis_.middleCols(size_, kBlock));
    const double before = next.norm();
    const int wide = size_ + kBlock;
    for (int pass = 0; pass < 2; ++pass) {
      const Columns<T> inside = product<T>(CblasConjTrans, basis_.leftCols(wide), CblasNoTrans, next);
      next -= product<T>(CblasNoTrans, basis_.leftCols(wide), CblasNoTrans, inside);
      if (pass == 0) projected_.block(size_, size_, kBlock, kBlock) = inside.bottomRows(kBlock);
    }
    Columns<T> q = next;
    lapack::orthonormalise(as_int(q.rows()), kBlock, q.data());
    coupling_ = product<T>(CblasConjTrans, q, CblasNoTrans, next);
    ended_ = coupling_.diagonal().array().abs().minCoeff() <= 1e-13 * before;
    projected_.block(wide, size_, kBlock, kBlock) = coupling_;
    basis_.middleCols(wide, kBlock) = q;
    size_ = wide;
  }

  // The eigenpairs above `bound` of the matrix projected to the space; vectors in coordinates of K.
  SliceEigenpairs<T> ritz_pairs(double bound) const {
    Columns<T> small = projected_.topLeftCorner(size_, size_);
    return eigenpairs_above<T>(small, bound, size_);
  }

  // |A V - V Theta|: only the last block maps out of the space.
  double residual(const SliceEigenpairs<T>& ritz) const {
    return product<T>(CblasNoTrans, coupling_, CblasNoTrans, ritz.vectors.bottomRows(kBlock)).norm();
  }

  Columns<T> vectors(const SliceEigenpairs<T>& ritz) const {
    return product<T>(CblasNoTrans, basis_.leftCols(size_), CblasNoTrans, ritz.vectors);
  }

 private:
  const Columns<T>& a_;
  Columns<T> basis_, projected_;
  Columns<T> coupling_;  // B of the last block
  int size_ = 0;         // columns of K that were multiplied by A
  bool ended_ = false;
};

// Whether A - V Theta V^H has no eigenvalue above `bound`: then bound I - A + V Theta V^H is positive
// definite, as its Cholesky factor proves.
template <class T>
bool nothing_is_left(const Columns<T>& a, const SliceEigenpairs<T>& pairs, double bound) {
  Columns<T> rest = -a;
  rest.diagonal().array() += bound;
  Columns<T> scaled = pairs.vectors;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) scaled.col(c) *= std::sqrt(pairs.values[c]);
  lapack::add_outer(as_int(a.rows()), as_int(scaled.cols()), scaled.data(), rest.data());
  return lapack::is_positive_definite(as_int(a.rows()), rest.data());
}

}  // namespace

template <class T>
std::optional<SliceEigenpairs<T>> few_eigenpairs_above(const Columns<T>& a, double bound, int expected) {
  const int n = as_int(a.rows()), most = as_int(kMostShare * n);
  BlockLanczos<T> lanczos(a, most + kBlock);
  int next_check = 2 * expected + 6 * kBlock;
  while (lanczos.size() < most && !lanczos.ended()) {
    lanczos.grow();
    if (lanczos.size() < std::min(next_check, most) && !lanczos.ended()) continue;
    next_check = lanczos.size() + lanczos.size() / 4;
    SliceEigenpairs<T> pairs = lanczos.ritz_pairs(bound);
    const double tolerance = kAccuracy * std::sqrt(bound * pairs.largest);
    if (pairs.values.size() > most / 3) return {};
    if (lanczos.residual(pairs) > tolerance) continue;
    pairs.vectors = lanczos.vectors(pairs);
    if (nothing_is_left<T>(a, pairs, bound + tolerance)) return pairs;
  }
  return {};
}

std::optional<Eigendecomposition> few_largest_eigenpairs(const Eigen::MatrixXd& symmetric, int count) {
  constexpr double kTolerance = 1e-12;
  const int n = as_int(symmetric.rows()), most = as_int(kMostShare * n);
  if (count > most) return {};
  BlockLanczos<double> lanczos(symmetric, most + kBlock);
  int next_check = 2 * count + 6 * kBlock;
  while (lanczos.size() < most && !lanczos.ended()) {
    lanczos.grow();
    if (lanczos.size() < std::min(next_check, most) && !lanczos.ended()) continue;
    next_check = lanczos.size() + lanczos.size() / 4;
    SliceEigenpairs<double> pairs = lanczos.ritz_pairs(0);
    if (pairs.values.size() < count) continue;
    pairs.values = pairs.values.tail(count).eval();
    pairs.vectors = pairs.vectors.rightCols(count).eval();
    const double tolerance = kTolerance * pairs.largest, residual = lanczos.residual(pairs);
    if (residual > tolerance) {
      // Residuals fall about geometrically: if twice that rate is not enough, the spectrum is too flat.
      const double at_most = std::log(residual / pairs.largest) * most / lanczos.size();
      if (2 * at_most > std::log(kTolerance)) return {};
      continue;
    }
    pairs.vectors = lanczos.vectors(pairs);
    if (nothing_is_left<double>(symmetric, pairs, pairs.values[0] + tolerance))
      return Eigendecomposition{pairs.values, pairs.vectors};
  }
  return {};
}

// Counts eigenvalues on the tridiagonal form, so that vectors are computed only for those that are kept.
template <class T>
SliceEigenpairs<T> eigenpairs_above(Columns<T>& a, double bound, int limit) {
  const int n = as_int(a.rows());
  Eigen::VectorXd diagonal(n), below(n);
  Columns<T> tau(n, 1);
  const Columns<T> original = a;
  lapack::tridiagonalise(n, a.data(), diagonal.data(), below.data(), tau.data());

  Eigen::VectorXd all = diagonal, rest = below;
  lapack::tridiagonal_eigenvalues(n, all.data(), rest.data());
  const int count = std::min(limit, as_int((all.array() > bound).count()));
  SliceEigenpairs<T> pairs{all.tail(count), Columns<T>(n, count), all[n - 1]};
  if (count == 0) return pairs;

  Columns<double> vectors(n, count);
  if (lapack::largest_eigenpairs(n, count, diagonal.data(), below.data(), pairs.values.data(),
                                 vectors.data())) {
    pairs.vectors = vectors.cast<T>();
    lapack::apply_reflectors(n, count, a.data(), tau.data(), pairs.vectors.data());
  } else {
    a = original;
    lapack::eigen(n, a.data(), all.data());
    pairs.values = all.tail(count);
    pairs.vectors = a.rightCols(count);
  }
  return pairs;
}

#define TULLE_INSTANTIATE(T)                                                                          \
  template std::optional<SliceEigenpairs<T>> few_eigenpairs_above<T>(const Columns<T>&, double, int); \
  template SliceEigenpairs<T> eigenpairs_above<T>(Columns<T>&, double, int);
TULLE_INSTANTIATE(double)
TULLE_INSTANTIATE(std::complex<double>)
#undef TULLE_INSTANTIATE

}  // namespace tulle
