// The sound form of method dp-sgld.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

struct SgldDefaults {
  static constexpr int kSteps = 40;
  static constexpr double kRate = 1, kLearningRate = 0.5;
  static constexpr int kEntriesPerUser = 100;
};

Completion sgld_for_users(const PrivateRequest& request, Curator& curator);

}  // namespace tulle
