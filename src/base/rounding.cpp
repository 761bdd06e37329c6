#include <tulle/base/error.hpp>
#include <tulle/base/rounding.hpp>

namespace tulle {

// Calls that the compiler cannot see through: what is read from memory and written to it between them stays
// between them.
Rounding::Rounding(int mode) : before_(std::fegetround()) {
  if (std::fesetround(mode) != 0) fail("this processor cannot change how it rounds");
}

Rounding::~Rounding() {
  std::fesetround(before_);
}

}  // namespace tulle
