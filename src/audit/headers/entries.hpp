// The audit entries of Tulle: at least one for every form of every method, and the bare mechanisms. An entry
// is two neighbouring data sets that are the worst case for the method, which states them.
#pragma once

#include <tulle/audit/audit.hpp>
#include <tulle/method/private_completion.hpp>

#include <string>
#include <variant>
#include <vector>

namespace tulle {

struct AuditEntry {
  std::string name;  // of a method or a mechanism
  Calibration calibration = Calibration::sound;
  Neighbours neighbours{Unit::entry, Relation::replace};
  std::string model;  // empty for mechanisms
  double delta = 0;   // the delta that the table is made with
  // Trials for the table, and for tests.
  std::uint64_t trials = 20'000, quick_trials = 800;
  bool slow = false;      // left out of tests
  std::string note = {};  // why the bound is far below the claim, if it is
  std::function<std::variant<Subject, ManyCanaries>(const Budget& budget)> subject;
};

const std::vector<AuditEntry>& audit_entries();

Finding audit(const AuditEntry& entry, const Budget& budget, const AuditOptions& options);

}  // namespace tulle
