// Methods ldp1 and ldp2.
#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method ldp1_method();
Method ldp2_method();

}  // namespace tulle
