#include <tulle/base/error.hpp>
#include <tulle/privacy/batch.hpp>

#include <atomic>

namespace tulle {

Maker Maker::next() {
  static std::atomic<std::uint64_t> count = 0;
  return Maker(++count);
}

void Portions::take(std::span<const std::uint64_t> units, const std::string& what) {
  for (std::uint64_t unit : units) {
    if (unit >= answered_.size())
      fail("{}: there is no unit {}; there are {}", what, unit + 1, answered_.size());
    if (answered_[unit]) fail("{}: unit {} was released before", what, unit + 1);
    answered_[unit] = true;
    --left_;
  }
}

}  // namespace tulle
