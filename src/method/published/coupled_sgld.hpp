// DP-CMF and DP-CTF as published (ermis2020, algorithms 1 and 2).
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

Completion coupled_sgld_as_published(const PrivateRequest& request, Curator& curator);

}  // namespace tulle
