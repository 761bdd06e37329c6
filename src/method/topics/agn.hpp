#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

TopicMethod agn_topics();

}  // namespace tulle
