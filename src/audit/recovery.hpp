// Does the output determine the input? An attacker who knows the algorithm runs it on every value that the
// secret may have, and looks for numbers of the output that come out the same whatever the noise.
#pragma once

#include <tulle/audit/audit.hpp>

namespace tulle::attacks {

// Nothing if no number of the output does.
std::optional<Recovery> recover_values(const Subject& subject, std::uint64_t seed);

}  // namespace tulle::attacks
