#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method sgld_classifier();

}  // namespace tulle
