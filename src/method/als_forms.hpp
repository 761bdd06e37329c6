// The two forms of method als.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

Completion als_for_entries(const PrivateRequest& request, Curator& curator);
Completion als_for_users(const PrivateRequest& request, Curator& curator);

}  // namespace tulle
