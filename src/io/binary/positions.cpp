#include "binary/positions.hpp"

#include <tulle/base/error.hpp>

namespace tulle {

Index to_position(const std::string& name, double value, Index size, std::uint64_t element) {
  if (!(value >= 0 && value < size && value == std::floor(value)))
    fail("{}: element {} is {}, but positions run from 0 to {}; write it again", name, element + 1, value,
         size - 1);
  return static_cast<Index>(value);
}

void PointerExpander::append(std::span<const double> pointers) {
  for (double pointer : pointers) {
    const auto last = static_cast<double>(positions_.size());
    const auto most = static_cast<double>(arrived_ == 0 ? 0 : entries_);
    if (!(pointer >= last && pointer <= most && pointer == std::floor(pointer)))
      fail("{}: element {} is {}, not a step from {} towards the {} entries; write it again", name_,
           arrived_ + 1, pointer, last, entries_);
    if (arrived_ > 0) positions_.resize(static_cast<std::size_t>(pointer), static_cast<Index>(arrived_ - 1));
    ++arrived_;
  }
}

std::vector<Index> PointerExpander::take() {
  if (arrived_ != std::uint64_t{size_} + 1)
    fail("{}: has {} elements, but {} positions need one more than that; write it again", name_, arrived_,
         size_);
  return std::move(positions_);
}

}  // namespace tulle
