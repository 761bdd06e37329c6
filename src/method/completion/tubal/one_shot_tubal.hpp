#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// The one-shot method for the tubal model: every entry once, alone or with its neighbours, then estimation
// with the known noise.
Completion one_shot_tubal(const PrivateRequest& request, Curator& curator);

}  // namespace tulle
