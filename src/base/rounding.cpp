#include <tulle/base/error.hpp>
#include <tulle/base/rounding.hpp>

namespace tulle {

// Defined out of line, so that the compiler cannot move reads and writes of memory across these calls.
Rounding::Rounding(int mode) : before_(std::fegetround()) {
  if (std::fesetround(mode) != 0) fail("this processor cannot change how it rounds");
}

Rounding::~Rounding() {
  std::fesetround(before_);
}

}  // namespace tulle
