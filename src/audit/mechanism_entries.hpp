// The bare mechanisms: one number that moves by all it may.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> mechanism_entries();

}  // namespace tulle::attacks
