#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method sgd_classifier();

}  // namespace tulle
