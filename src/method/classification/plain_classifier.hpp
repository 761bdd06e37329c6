#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method plain_classifier();

}  // namespace tulle
