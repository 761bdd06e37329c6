// Method dp-sgld.
#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method dp_sgld_method();

}  // namespace tulle
