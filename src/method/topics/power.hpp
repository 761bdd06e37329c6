#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

Method power_topics();

}  // namespace tulle
