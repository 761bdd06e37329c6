// A completion method under audit.
#pragma once

#include "transcript.hpp"

#include <tulle/audit/entries.hpp>

namespace tulle::attacks {

// Data that are made up, of which one unit depends on the secret.
struct CraftedTensor {
  std::string canary;
  bool graded = false;
  SparseTensor (*data)(double secret) = nullptr;
  Watched watched_first, watched_second;  // the unit's number on each of the two
};

struct CompletionCase {
  std::string method;
  Calibration calibration = Calibration::sound;
  Neighbours neighbours{Unit::entry, Relation::replace};
  std::string model = "cp";
  double delta = 0;
  Tuning tuning = {};
  std::uint64_t trials = 20'000, quick_trials = 800;
};

AuditEntry completion_entry(const CompletionCase& method, const CraftedTensor& tensor);

// All numbers of a model in a row.
std::vector<double> numbers_of(const Model& model);

}  // namespace tulle::attacks
