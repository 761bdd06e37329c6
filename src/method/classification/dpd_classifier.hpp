#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method dpd_classifier();

}  // namespace tulle
