#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

TopicMethod plain_topics();

}  // namespace tulle
