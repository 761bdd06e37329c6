#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

Method best_classifier();

}  // namespace tulle
