#include <tulle/solve/topics/simplex.hpp>

namespace tulle {

Vector nearest_distribution(const Vector& point) {
  const Vector positive = point.cwiseMax(0);
  const double sum = positive.sum();
  if (!(sum > 0)) return Vector::Constant(point.size(), 1 / static_cast<double>(point.size()));
  return positive / sum;
}

}  // namespace tulle
