// The completion methods of the registry, on tiny tensors in which one value, one cell or one user makes all
// the difference.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> completion_entries();

}  // namespace tulle::attacks
