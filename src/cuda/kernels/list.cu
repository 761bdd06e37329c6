#include "list.cuh"

#include <algorithm>

namespace tulle::gpu {
namespace {

// Long enough that a warp's start costs little, short enough that a popular row is shared by many warps, and
// no row has so many segments that adding them up takes longer than the segments themselves.
constexpr std::size_t kShortest = 256, kMostOfARow = 2048;

std::size_t segment_length(std::span<const std::size_t> starts) {
  std::size_t longest = 0;
  for (std::size_t row = 0; row + 1 < starts.size(); ++row)
    longest = std::max(longest, starts[row + 1] - starts[row]);
  return std::max(kShortest, longest / kMostOfARow);
}

}  // namespace

List::List(const SortedList& list)
    : mode_(list.mode),
      others_(list.others),
      rows_(list.rows),
      positions_(list.positions),
      values_(list.values) {
  const std::size_t length = segment_length(list.starts);
  std::vector<Segment> segments;
  for (std::size_t row = 0; row < list.rows.size(); ++row) {
    first_segments_on_host_.push_back(static_cast<std::uint32_t>(segments.size()));
    for (std::size_t begin = list.starts[row]; begin < list.starts[row + 1]; begin += length)
      segments.push_back({begin, std::min(begin + length, list.starts[row + 1])});
    if (segments.size() > first_segments_on_host_.back() + std::size_t{1})
      long_rows_on_host_.push_back(static_cast<std::uint32_t>(row));
  }
  first_segments_on_host_.push_back(static_cast<std::uint32_t>(segments.size()));
  first_segments_ = Buffer<std::uint32_t>(std::span<const std::uint32_t>(first_segments_on_host_));
  long_rows_ = Buffer<std::uint32_t>(std::span<const std::uint32_t>(long_rows_on_host_));
  segments_ = Buffer<Segment>(std::span<const Segment>(segments));
}

std::pair<const std::uint32_t*, std::size_t> List::long_rows(std::size_t first, std::size_t last) const {
  const auto begin = std::ranges::lower_bound(long_rows_on_host_, first);
  const auto end = std::ranges::lower_bound(long_rows_on_host_, last);
  return {long_rows_.data() + (begin - long_rows_on_host_.begin()), static_cast<std::size_t>(end - begin)};
}

Reads List::reads(std::span<const double* const> factors, std::span<const double* const> variances,
                  std::span<const double* const> offsets, int stride) const {
  Reads reads{positions_.data(), values_.data(), {}, {}, {}, static_cast<int>(others_.size()), stride};
  for (std::size_t k = 0; k < others_.size(); ++k) {
    const auto mode = static_cast<std::size_t>(others_[k]);
    reads.factors[k] = factors[mode];
    if (!variances.empty()) reads.variances[k] = variances[mode];
    if (!offsets.empty()) reads.offsets[k] = offsets[mode];
  }
  return reads;
}

}  // namespace tulle::gpu
