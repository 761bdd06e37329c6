#include <tulle/base/error.hpp>
#include <tulle/tensor/shape.hpp>

#include <charconv>
#include <vector>

namespace tulle {

Shape::Shape(std::span<const std::uint64_t> dimensions) : order_(static_cast<int>(dimensions.size())) {
  if (dimensions.size() < kMinOrder || dimensions.size() > kMaxOrder)
    fail("a tensor has {} to {} modes, not {}", kMinOrder, kMaxOrder, dimensions.size());
  for (int mode = 0; mode < order_; ++mode) {
    if (dimensions[mode] < 1 || dimensions[mode] > kMaxDimension)
      fail("mode {} has size {}; sizes run from 1 to {}", mode + 1, dimensions[mode], kMaxDimension);
    dimensions_[mode] = static_cast<Index>(dimensions[mode]);
  }
}

Shape::Shape(std::initializer_list<std::uint64_t> dimensions)
    : Shape(std::span<const std::uint64_t>(dimensions.begin(), dimensions.size())) {}

Shape Shape::parse(std::string_view text) {
  std::vector<std::uint64_t> dimensions;
  const char* next = text.data();
  const char* const end = next + text.size();
  while (true) {
    std::uint64_t dimension = 0;
    const auto [stop, error] = std::from_chars(next, end, dimension);
    if (error != std::errc() || (stop != end && *stop != 'x'))
      fail_usage("shape '{}': expected sizes joined by x, such as 20x30x4", text);
    dimensions.push_back(dimension);
    if (stop == end) return Shape(dimensions);
    next = stop + 1;
  }
}

std::size_t Shape::cells() const {
  std::size_t product = 1;
  for (Index dimension : dimensions())
    if (__builtin_mul_overflow(product, static_cast<std::size_t>(dimension), &product))
      fail("a {} tensor has more cells than fit in memory", text());
  return product;
}

std::size_t Shape::stride(int mode) const {
  std::size_t product = 1;
  for (int later = mode + 1; later < order_; ++later) product *= dimensions_[later];
  return product;
}

std::size_t Shape::offset(std::span<const Index> cell) const {
  std::size_t result = 0;
  for (int mode = 0; mode < order_; ++mode) result = result * dimensions_[mode] + cell[mode];
  return result;
}

bool Shape::contains(std::span<const Index> cell) const {
  if (static_cast<int>(cell.size()) != order_) return false;
  for (int mode = 0; mode < order_; ++mode)
    if (cell[mode] >= dimensions_[mode]) return false;
  return true;
}

Shape Shape::with(int mode, std::uint64_t dimension) const {
  std::vector<std::uint64_t> changed(dimensions().begin(), dimensions().end());
  changed.at(mode) = dimension;
  return Shape(changed);
}

std::string Shape::text() const {
  return fmt::format("{}", fmt::join(dimensions(), "x"));
}

}  // namespace tulle
