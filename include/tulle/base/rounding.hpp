// How sums and products of floating point are rounded, for as long as such an object lives, in its thread.
#pragma once

#include <cfenv>

namespace tulle {

class Rounding {
 public:
  static Rounding down() { return Rounding(FE_DOWNWARD); }
  static Rounding to_nearest() { return Rounding(FE_TONEAREST); }  // as everywhere else
  ~Rounding();
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  explicit Rounding(int mode);

  int before_;
};

}  // namespace tulle
