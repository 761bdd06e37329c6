// Whether the output determines the secret. An attacker who knows the algorithm runs it on every possible
// value of the secret, and searches the output for values that do not depend on the noise.
#pragma once

#include <tulle/audit/audit.hpp>

namespace tulle::attacks {

// Empty if no value of the output determines the secret.
std::optional<Recovery> recover_values(const Subject& subject, std::uint64_t seed);

}  // namespace tulle::attacks
