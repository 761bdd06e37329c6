#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

TopicMethod histogram_topics();

}  // namespace tulle
