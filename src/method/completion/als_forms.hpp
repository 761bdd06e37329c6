// The two forms of method als.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Components that were asked for, if any were: of a tucker model as many as its smallest rank,
// within what a core may have.
std::optional<int> wanted_components(const PrivateRequest& request);

// Both answer with a cp model.
Completion als_for_entries(const PrivateRequest& request, Curator& curator);
Completion als_for_users(const PrivateRequest& request, Curator& curator);

}  // namespace tulle
