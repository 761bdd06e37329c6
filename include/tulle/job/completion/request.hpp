// A request for a completion, from the command, Python or C++: the data, the terms of its privacy, the fit,
// the outputs. It is checked as a whole, reads its data, and then runs.
#pragma once

#include <tulle/job/charging.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/run_plan.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct StudyFile;

struct CompletionOptions {
  DataOptions data;
  // A private study in one place, of which `data` has the file; its tables are the data.
  std::shared_ptr<const StudyFile> study;

  PrivacyOptions privacy;
  LedgerOptions ledger;

  std::string method = methods(Job::completion).front().name;
  Settings settings;
  FitOptions fit;
  std::string from;                             // a model file to start from
  std::shared_ptr<const ModelFile> from_model;  // or the model itself
  bool from_is_public = false;                  // stated by the owner
  std::vector<std::string> held;                // modes of that model to keep fixed: names, or numbers from 1
  std::vector<std::string> ordered;  // modes with an order: names or numbers, hour%24 with a period; or none
  std::string device;                // cpu, cuda or cuda:N; empty: the CPU
  std::optional<std::uint64_t> seed;
  bool score_all = false;

  std::string output, user_output;
  bool keep_releases = true;  // in the model file, for a refit
  PageOptions page;

  OptionUses uses;

  void declare(OptionTable& table);
  bool is_private() const { return find_method(method).is_private(); }
  bool starts_from_a_model() const { return !from.empty() || from_model; }
};

// A request that was checked and has read its data; nothing is charged yet.
class CompletionRequest {
 public:
  // A UsageError or an Error if it cannot be met, before anything is charged or released.
  explicit CompletionRequest(const CompletionOptions& options);

  // Call once. Charges the ledger before the first release. The caller marks the charge as delivered once the
  // outcome is handed over.
  CompletionOutcome run(const Watcher& watcher);
  // Instead of run(): what it would release and cost. A UsageError for a run without privacy.
  RunPlan plan();

  const CompletionJob& job() const { return job_; }
  const CompletionData& data() const { return run_.data(); }
  Payment& payment() { return payment_; }

 private:
  CompletionRequest(const CompletionOptions& options, std::uint64_t seed);
  CompletionRequest(const CompletionOptions& options, CompletionData data, std::uint64_t seed);

  LedgerOptions ledger_;
  std::vector<std::string> files_;  // files of the data that are charged for
  CompletionJob job_;
  CompletionRun run_;
  Payment payment_;
};

// Runs with the epsilons of the page's curve: they are charged to no account and save nothing.
std::vector<AccuracyCurve> curves_of(const CompletionOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
