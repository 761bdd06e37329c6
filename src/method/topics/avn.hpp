#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

Method avn_topics();

}  // namespace tulle
