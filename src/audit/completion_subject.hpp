// A completion method under audit.
#pragma once

#include "transcript.hpp"

#include <tulle/audit/entries.hpp>
#include <tulle/job/jobs.hpp>

#include <limits>

namespace tulle::attacks {

// Synthetic data in which one unit depends on the secret.
struct CraftedTensor {
  std::string canary;
  bool graded = false;
  std::function<SparseTensor(double secret)> data = {};
  Watched watched_first, watched_second;  // the unit's number in each of the two data sets
  // Under zero-out: the entries of the second data set that contribute nothing in the first.
  std::vector<std::size_t> blanked = {};
};

struct CompletionCase {
  std::string method;
  Calibration calibration = Calibration::sound;
  Neighbours neighbours{Unit::entry, Relation::replace};
  ModelKind model = ModelKind::cp;
  double delta = 0;
  Settings settings = {};
  int rank = 1;
  std::optional<double> ridge = {};
  std::shared_ptr<const Coupling> coupling = {};
  std::uint64_t trials = 5'000, quick_trials = 600;
  bool slow = false;            // left out of tests
  bool releases_cells = false;  // one by one
  std::string_view note;        // AuditEntry::note
  // The method runs with at most this epsilon, whatever the table is made with: some published forms need it.
  double most_epsilon = std::numeric_limits<double>::infinity();
};

// The fields of an entry that follow from the case alone, without its subject.
AuditEntry entry_of(const CompletionCase& how);

AuditEntry completion_entry(const CompletionCase& method, const CraftedTensor& tensor);

// The method on a low-rank tensor of `shape` in which an independent coin moves every value up or down: one
// run with as many canaries as cells. If cells are released one by one, the attacker sees these releases;
// else the model's predictions of the cells.
AuditEntry one_run_entry(const CompletionCase& method, const Shape& shape, double move = 0.5);

// The run that the command makes with `budget`.
CompletionJob job_of(const CompletionCase& how, const Budget& budget);
// The auditor makes the data, and both data sets have the same shape, so it is public.
CompletionJob on_crafted_data(CompletionJob job, const Shape& shape);

// All parameters of a model in a row.
std::vector<double> numbers_of(const Model& model);

}  // namespace tulle::attacks
