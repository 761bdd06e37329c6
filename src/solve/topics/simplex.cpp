#include <tulle/solve/topics/simplex.hpp>

#include <algorithm>
#include <functional>

namespace tulle {

Vector project_to_simplex(const Vector& point) {
  Vector sorted = point;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, shift = 0;
  for (Eigen::Index i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double wanted = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] <= wanted) break;
    shift = wanted;
  }
  return (point.array() - shift).cwiseMax(0);
}

Vector clip_and_normalise(const Vector& point) {
  const Vector positive = point.cwiseMax(0);
  const double sum = positive.sum();
  if (!(sum > 0)) return Vector::Constant(point.size(), 1 / static_cast<double>(point.size()));
  return positive / sum;
}

}  // namespace tulle
