// Sets how floating-point sums and products are rounded in its thread, while the object lives.
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
