#include <tulle/base/chunks.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/topics/power.hpp>

#include <algorithm>

namespace tulle {
namespace {

// u <- T(I, u, u) / || ||; a u that the tensor maps to zero stays.
void iterate(const Cube& tensor, Vector& u, int iterations) {
  for (int i = 0; i < iterations; ++i) {
    const Vector next = contract(tensor, u);
    const double length = next.norm();
    if (!(length > 0)) return;
    u = next / length;
  }
}

// The direction with the largest value that any start reaches; the first one if there are several.
Vector best_start(const Cube& tensor, const PowerOptions& options, Random& random) {
  std::vector<Vector> starts(options.starts);
  for (Vector& u : starts) u = random_direction(tensor.rows(), random);
  std::vector<double> values(starts.size());
  const std::size_t work = starts.size() * options.iterations * static_cast<std::size_t>(tensor.size());
#pragma omp parallel for schedule(dynamic) if (work > kWorthThreads)
  for (std::size_t start = 0; start < starts.size(); ++start) {
    iterate(tensor, starts[start], options.iterations);
    values[start] = contract(tensor, starts[start]).dot(starts[start]);
  }
  return starts[std::ranges::max_element(values) - values.begin()];
}

}  // namespace

Vector random_direction(Eigen::Index size, Random& random) {
  Vector u(size);
  for (double& value : u) value = random.normal();
  return u.normalized();
}

Vector contract(const Cube& tensor, const Vector& u) {
  const Matrix square = u * u.transpose();
  return tensor * Eigen::Map<const Vector>(square.data(), square.size());
}

void deflate(Cube& tensor, double value, const Vector& u) {
  const Matrix square = u * u.transpose();
  tensor -= value * u * Eigen::Map<const Vector>(square.data(), square.size()).transpose();
}

Cube symmetrised(const Cube& tensor) {
  const Eigen::Index size = tensor.rows();
  const auto at = [&](Eigen::Index i, Eigen::Index j, Eigen::Index k) { return tensor(i, j * size + k); };
  Cube result(size, size * size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      for (Eigen::Index k = 0; k < size; ++k)
        result(i, j * size + k) =
            (at(i, j, k) + at(i, k, j) + at(j, i, k) + at(j, k, i) + at(k, i, j) + at(k, j, i)) / 6;
  return result;
}

RankOneTerms decompose(Cube tensor, int count, const PowerOptions& options) {
  Random random(options.seed);
  RankOneTerms terms{Vector(count), Matrix(tensor.rows(), count)};
  for (int term = 0; term < count; ++term) {
    Vector u = best_start(tensor, options, random);
    iterate(tensor, u, options.iterations);
    const double value = contract(tensor, u).dot(u);
    deflate(tensor, value, u);
    terms.values[term] = value;
    terms.vectors.col(term) = u;
  }
  return terms;
}

}  // namespace tulle
