// Classifiers under audit: two neighbouring sets of examples that are the worst case for each.
#pragma once

#include <tulle/audit/entries.hpp>

#include <vector>

namespace tulle::attacks {

std::vector<AuditEntry> classification_entries();

}  // namespace tulle::attacks
