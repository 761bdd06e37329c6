#pragma once

#include <tulle/method/registry.hpp>

namespace tulle {

// One release of every observed entry, then estimation that costs nothing more.
Method one_shot_method();

}  // namespace tulle
