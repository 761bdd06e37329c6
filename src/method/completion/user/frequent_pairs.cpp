#include "frequent_pairs.hpp"

#include "estimate/user/released_directions.hpp"
#include "estimate/user/user_moments.hpp"
#include "user_vectors.hpp"

#include <tulle/method/interest.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr std::size_t kLeastFrequent = 16, kMostFrequent = 128;
// The share of a direction in the pairs of users from which on it shows. The eigenvalues of the noise of
// pairs of m positions reach sqrt(2 m) standard deviations; those of all users together reach the number of
// users.
constexpr double kShareOfDirection = 0.06;

// How much sums of pairs vary because the users are a sample. A user with m positions adds 1/m for each pair
// of them: one position of each with itself makes 1 per user, all pairs of two m - 1. So m is 1 + (sum over
// two) / (sum over one) on average, and a sum over users of 1/m varies by itself times 1/m.
double sampling_variance(const Matrix& pairs) {
  const double users = std::max(pairs.trace(), 1e-300), of_two = std::max(pairs.sum() - pairs.trace(), 0.0);
  const double count = std::max<double>(static_cast<double>(pairs.size() - pairs.rows()), 1);
  return of_two / count / (1 + of_two / users);
}

}  // namespace

std::size_t frequent_positions(double users, double deviation, std::size_t positions) {
  const double root = kShareOfDirection * users / (std::sqrt(2.0) * deviation);
  const auto count = static_cast<std::size_t>(std::min(root * root, static_cast<double>(kMostFrequent)));
  return count < kLeastFrequent ? 0 : std::min(count, positions);
}

std::vector<Index> most_popular(const Vector& popularity, std::size_t count) {
  std::vector<Index> positions(static_cast<std::size_t>(popularity.size()));
  std::iota(positions.begin(), positions.end(), Index{0});
  std::ranges::stable_sort(positions, std::greater<>(), [&](Index i) { return popularity[i]; });
  positions.resize(count);
  return positions;
}

std::vector<double> frequent_pair_sums(const UserCells& data, double most_users, std::size_t block_size,
                                       std::size_t shared_mode, std::span<const Index> often) {
  constexpr std::size_t kRare = kMostFrequent;
  std::vector<std::size_t> places(data.positions_of(shared_mode), kRare);
  for (std::size_t i = 0; i < often.size(); ++i) places[often[i]] = i;
  const std::size_t numbers = often.size() * (often.size() + 1) / 2;
  return sums_of_user_vectors(
      data, most_users, numbers, block_size, [&](std::size_t user, std::span<double> vector) {
        std::vector<bool> has(often.size());
        for (std::size_t cell = data.begin(user); cell < data.end(user); ++cell)
          if (const std::size_t place = places[data.positions(cell)[shared_mode]]; place != kRare)
            has[place] = true;
        std::size_t pair = 0;
        for (std::size_t i = 0; i < has.size(); ++i)
          for (std::size_t j = i; j < has.size(); ++j, ++pair)
            if (has[i] && has[j]) vector[pair] = i == j ? 1 : kPairTwice;
      });
}

Interest interest_of(int mode, Vector popularity, std::vector<Index> often, std::span<const double> sums,
                     double deviation) {
  Interest interest{mode, std::move(popularity), {}, Matrix(0, 0), Vector(0)};
  if (often.empty()) return interest;
  const auto size = static_cast<Eigen::Index>(often.size());
  Matrix pairs = Matrix::Zero(size, size);
  std::size_t pair = 0;
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = i; j < size; ++j, ++pair)
      pairs(i, j) = pairs(j, i) = sums[pair] / (i == j ? 1 : kPairTwice);
  const Matrix weights = Matrix::Ones(size, size) - Matrix::Identity(size, size);
  const double spread = std::sqrt(deviation * deviation / 2 + sampling_variance(pairs));
  const Matrix directions = released_directions(pairs, weights, spread);
  if (directions.cols() == 0) return interest;
  const Vector squares = pairs.diagonal();
  const double least = 0.1 * std::max({squares.cwiseAbs().mean(), deviation, 1e-100});
  interest.own = (squares - directions.rowwise().squaredNorm()).cwiseMax(least);
  interest.directions = directions;
  interest.often = std::move(often);
  return interest;
}

Interest counted_interest(const Cells& cells, int users, int items, std::uint64_t positions) {
  std::vector<float> ones(cells.size(), 1.0f);
  const UserCells data(SparseTensor(cells, std::move(ones), Unlisted::missing), users);
  const auto shared = static_cast<std::size_t>(items < users ? items : items - 1);
  const std::uint64_t listed = data.positions_of(shared);
  Vector popularity = Vector::Zero(static_cast<Eigen::Index>(std::max(positions, listed)));
  for (std::size_t cell = 0; cell < data.size(); ++cell) ++popularity[data.positions(cell)[shared]];
  std::vector<Index> often =
      most_popular(popularity, std::min(kMostFrequent, static_cast<std::size_t>(listed)));
  const auto all = static_cast<double>(std::max<std::size_t>(data.users(), 1));
  const std::vector<double> sums = frequent_pair_sums(data, all, 0, shared, often);
  return interest_of(items, std::move(popularity), std::move(often), sums, 0);
}

}  // namespace tulle
