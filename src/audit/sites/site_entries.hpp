// Methods over several sites; one user at one site is present or absent.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> site_entries();
// Two relations of the users and a public table, all in one place.
AuditEntry coupled_entry();

}  // namespace tulle::attacks
