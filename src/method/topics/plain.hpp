#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

Method plain_topics();

}  // namespace tulle
