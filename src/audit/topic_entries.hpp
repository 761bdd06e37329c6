// The methods of the topic registry, on a handful of documents of which one makes all the difference.
#pragma once

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

std::vector<AuditEntry> topic_entries();

}  // namespace tulle::attacks
