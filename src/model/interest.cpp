#include <tulle/base/error.hpp>
#include <tulle/model/interest.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace tulle {

// The row is N(0, 1), and that she has a position or not (1 or 0) is directions * row plus noise of variance
// `own`: its posterior mean.
Vector Interest::scores(std::span<const Index> seen) const {
  if (directions.cols() == 0) return popularity;
  std::vector<bool> has(static_cast<std::size_t>(popularity.size()));
  for (const Index position : seen)
    if (position < has.size()) has[position] = true;
  Vector present(static_cast<Eigen::Index>(often.size()));
  for (std::size_t i = 0; i < often.size(); ++i)
    present[static_cast<Eigen::Index>(i)] = has[often[i]] ? 1 : 0;
  if (present.isZero(0)) return popularity;  // nothing is known of her
  const Matrix weighted = own.cwiseInverse().asDiagonal() * directions;
  Eigen::MatrixXd precision = weighted.transpose() * directions;
  precision.diagonal().array() += 1;
  const Vector expected = directions * precision.llt().solve(weighted.transpose() * present);
  const double largest = std::max(popularity.cwiseAbs().maxCoeff(), 1e-300);
  Vector scores = (expected.minCoeff() - 1) + popularity.array() / largest;
  for (std::size_t i = 0; i < often.size(); ++i) scores[often[i]] = expected[static_cast<Eigen::Index>(i)];
  return scores;
}

void check(const Interest& interest, const Shape& shape) {
  const auto is_size = [](Eigen::Index rows, std::size_t size) {
    return rows == static_cast<Eigen::Index>(size);
  };
  const bool sizes = interest.mode >= 0 && interest.mode < shape.order() &&
                     is_size(interest.popularity.size(), shape[interest.mode]) &&
                     is_size(interest.directions.rows(), interest.often.size()) &&
                     interest.directions.cols() <= interest.directions.rows() &&
                     is_size(interest.own.size(), interest.often.size());
  static constexpr double kMost = 1e100;  // whose squares are numbers still
  const auto is_small = [](const auto& numbers) { return (numbers.array().abs() <= kMost).all(); };
  const bool values = sizes && is_small(interest.popularity) && is_small(interest.directions) &&
                      is_small(interest.own) && (interest.own.array() > 1 / kMost).all() &&
                      std::ranges::all_of(interest.often, [&](Index i) { return i < shape[interest.mode]; });
  std::vector<Index> different = interest.often;
  std::ranges::sort(different);
  if (!values || std::ranges::adjacent_find(different) != different.end())
    fail("what the model says of users' interest is not of a mode of a {} tensor", shape.text());
}

}  // namespace tulle
