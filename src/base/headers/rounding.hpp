// While it lives, sets the rounding mode of floating-point arithmetic in its thread.
#pragma once

#include <cfenv>

namespace tulle {

class Rounding {
 public:
  static Rounding down() { return Rounding(FE_DOWNWARD); }
  static Rounding to_nearest() { return Rounding(FE_TONEAREST); }  // the default
  ~Rounding();
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  explicit Rounding(int mode);

  int before_;
};

}  // namespace tulle
