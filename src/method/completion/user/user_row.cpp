#include "user_row.hpp"

#include <tulle/base/multiarch.hpp>
#include <tulle/base/prefetch.hpp>
#include <tulle/tensor/kernels/block_gram.hpp>

#include <Eigen/Cholesky>

namespace tulle {
namespace {

// Variances of cells over those of users' levels, and of what scales features. Found on held-out parts of
// MovieLens ua.base; the error is flat around them.
constexpr double kLevelRidge = 6, kFeatureRidge = 20;

// The common error of all users' levels adds to the prior variance of a user's own level.
double level_ridge(double error_variance) {
  return 1 / (1 / kLevelRidge + error_variance / SharedModes::kSpread);
}

constexpr std::size_t kBlock = 64;  // rows that are multiplied while they are in the first cache

TULLE_MULTIARCH void add_rows(const double* rows, std::size_t stride, std::size_t count, double* gram) {
  for (std::size_t first = 0; first < count; first += kBlock)
    add_gram(rows + first * stride, stride, std::min(kBlock, count - first), gram);
}

}  // namespace

std::vector<std::size_t> SharedModes::large_modes() const {
  constexpr std::size_t kNumbersInCache = 1 << 15;
  std::vector<std::size_t> large;
  for (std::size_t s = 0; s < positions.size(); ++s)
    if (positions[s].rows() * static_cast<std::size_t>(positions[s].stride()) > kNumbersInCache)
      large.push_back(s);
  return large;
}

UserRow::UserRow(const UserCells& data, const SharedModes& shared, const Range& range)
    : data_(data),
      shared_(shared),
      range_(range),
      unit_(range.width() / 4),
      size_(static_cast<std::size_t>(shared.row_size())),
      stride_((size_ + 1 + 3) / 4 * 4),
      gram_(stride_ * stride_),
      row_(shared.row_size()),
      large_modes_(shared.large_modes()) {}

void UserRow::features(std::size_t cell, double* row) const {
  const Index* const positions = data_.positions(cell);
  double rest = range_.centred(data_.value(cell)) / unit_ - shared_.level;
  *row++ = 1;
  for (std::size_t s = 0; s < shared_.positions.size(); ++s) {
    const double* const known = shared_.positions[s].row(positions[s]);
    *row++ = known[SharedModes::kScaledOffset];
    *row++ = known[SharedModes::kPopularity];
    rest -= known[SharedModes::kOffset];
  }
  multiply_components(shared_, positions, shared_.positions.size(), row);
  row[shared_.rank] = rest;
}

// Prefetches the rows for a cell that follows soon.
inline __attribute__((always_inline)) void UserRow::prefetch(std::size_t cell) const {
  for (std::size_t s : large_modes_)
    prefetch_to_read(shared_.positions[s].row(data_.positions(cell)[s]),
                     static_cast<std::size_t>(shared_.positions[s].stride()));
}

std::span<const double> UserRow::solve(std::size_t user) {
  const std::size_t first = data_.begin(user);
  count_ = data_.count(user);
  if (features_.size() < count_ * stride_) features_.resize(2 * count_ * stride_);  // the padding stays zero
  for (std::size_t e = 0; e < count_; ++e) {
    prefetch(first + e + UserCells::kLookAhead);
    features(first + e, features_.data() + e * stride_);
  }
  std::fill(gram_.begin(), gram_.end(), 0.0);
  add_rows(features_.data(), stride_, count_, gram_.data());

  const auto size = static_cast<Eigen::Index>(size_);
  Eigen::Map<Matrix, 0, Eigen::OuterStride<>> gram(gram_.data(), size, size + 1,
                                                   Eigen::OuterStride<>(static_cast<Eigen::Index>(stride_)));
  gram(0, 0) += level_ridge(shared_.level_variance);
  gram.diagonal().tail(size - 1).array() += kFeatureRidge;
  row_ = gram.col(size);
  Eigen::Ref<Matrix, 0, Eigen::OuterStride<>> left(gram.leftCols(size));
  Eigen::LLT<decltype(left), Eigen::Upper>(left).solveInPlace(row_);
  return {row_.data(), size_};
}

void UserRow::without_components(double* rests) const {
  const double* const row = row_.data();
  const auto fixed = static_cast<std::size_t>(shared_.fixed());
  for (std::size_t e = 0; e < count_; ++e) {
    const double* const features = features_.data() + e * stride_;
    double rest = features[size_];
    for (std::size_t i = 0; i < fixed; ++i) rest -= row[i] * features[i];
    rests[e] = rest;
  }
}

}  // namespace tulle
