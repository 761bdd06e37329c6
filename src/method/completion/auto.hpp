#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Picks a method from public facts and says why.
Method auto_method();

}  // namespace tulle
