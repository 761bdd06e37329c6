// Methods over several sites, one of which has a user or has her not.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> site_entries();

}  // namespace tulle::attacks
