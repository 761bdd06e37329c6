#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

Method histogram_topics();

}  // namespace tulle
