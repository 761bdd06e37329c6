#include <tulle/base/error.hpp>
#include <tulle/tensor/model_layout.hpp>

namespace tulle {

ModelLayout::ModelLayout(const Shape& shape, std::vector<std::size_t> columns, bool has_core)
    : shape_(shape), columns_(std::move(columns)), has_core_(has_core) {
  std::size_t core = 1;
  for (int mode = 0; mode < order(); ++mode) {
    starts_[mode + 1] = starts_[mode] + factor_size(mode);
    core *= columns_[mode];
  }
  size_ = starts_[order()] + (has_core_ ? core : 0);
}

ModelLayout ModelLayout::cp(const Shape& shape, int rank) {
  if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
  return {shape, std::vector<std::size_t>(shape.order(), static_cast<std::size_t>(rank)), false};
}

ModelLayout ModelLayout::tucker(const Shape& shape, const std::vector<int>& ranks) {
  if (ranks.size() != static_cast<std::size_t>(shape.order()))
    fail_usage("{} ranks for {} modes; give one for all, or one per mode", ranks.size(), shape.order());
  for (int rank : ranks)
    if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
  return {shape, {ranks.begin(), ranks.end()}, true};
}

ModelLayout ModelLayout::with(int mode, std::uint64_t size) const {
  return {shape_.with(mode, size), columns_, has_core_};
}

}  // namespace tulle
