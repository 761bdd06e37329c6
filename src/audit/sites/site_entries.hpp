// Methods over several sites; one user at one site is present or absent.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> site_entries();

}  // namespace tulle::attacks
