#include "classification/classification_entries.hpp"
#include "completion_entries.hpp"
#include "mechanism_entries.hpp"
#include "sites/site_entries.hpp"
#include "topic_entries.hpp"

namespace tulle {

const std::vector<AuditEntry>& audit_entries() {
  static const std::vector<AuditEntry> all = [] {
    std::vector<AuditEntry> entries = attacks::mechanism_entries();
    for (AuditEntry& entry : attacks::completion_entries()) entries.push_back(std::move(entry));
    for (AuditEntry& entry : attacks::site_entries()) entries.push_back(std::move(entry));
    entries.push_back(attacks::coupled_entry());
    for (AuditEntry& entry : attacks::topic_entries()) entries.push_back(std::move(entry));
    for (AuditEntry& entry : attacks::classification_entries()) entries.push_back(std::move(entry));
    return entries;
  }();
  return all;
}

Finding audit(const AuditEntry& entry, const Budget& budget, const AuditOptions& options) {
  return std::visit([&](const auto& subject) { return audit(subject, options); }, entry.subject(budget));
}

}  // namespace tulle
