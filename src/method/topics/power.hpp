#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

TopicMethod power_topics();

}  // namespace tulle
