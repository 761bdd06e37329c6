// Method ldp1.
#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method ldp1_method();

}  // namespace tulle
