#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Several sites that share all factors but their users' (Ma et al. 2019).
Method dpfact_method();

}  // namespace tulle
