#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

TopicMethod avn_topics();

}  // namespace tulle
