// The functions that describe the methods.
#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

#define TULLE_METHOD(function) Method function();
#include "methods.inc"
#undef TULLE_METHOD

}  // namespace tulle
