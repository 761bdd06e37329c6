// A dense tensor seen from one mode: outer x size x inner, in C order.
#pragma once

#include "check.hpp"

namespace tulle {

struct Layout {
  std::size_t outer, size, inner;

  Layout(const Shape& shape, int mode) {
    check_mode(shape, mode);
    size = shape[mode];
    inner = shape.stride(mode);
    outer = shape.cells() / size / inner;
  }
};

}  // namespace tulle
