// The bare mechanisms: one value that changes by as much as it may.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> mechanism_entries();

}  // namespace tulle::attacks
