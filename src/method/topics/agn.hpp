#pragma once

#include <tulle/method/topics.hpp>

namespace tulle {

Method agn_topics();

}  // namespace tulle
