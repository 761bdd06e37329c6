#include "../eigenvectors.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/topics/whiten.hpp>

namespace tulle {

Whitening whiten(const Matrix& second, int count, double least) {
  if (count < 1 || count > second.rows())
    fail_usage("{} topics of {} words; give from 1 to as many as there are words", count, second.rows());
  if (!(least > 0)) fail("whitening: the least eigenvalue must be above 0, not {}", least);
  const Eigenpairs top = leading_eigenpairs(second, count);
  const Vector roots = top.values.cwiseMax(least).cwiseSqrt();
  return {top.vectors * roots.cwiseInverse().asDiagonal(), top.vectors * roots.asDiagonal(), top.values};
}

}  // namespace tulle
