// What a completion is asked for, by whichever door: the data, the terms of its privacy, the fit, the
// outputs. A request is checked as a whole, reads its data, and then runs.
#pragma once

#include <tulle/job/charging.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/payment.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct CompletionOptions {
  DataOptions data;

  PrivacyOptions privacy;
  LedgerOptions ledger;

  std::string method = "auto";
  Settings settings;
  FitOptions fit;
  std::string from;                             // a model file to start from
  std::shared_ptr<const ModelFile> from_model;  // or the model itself
  bool from_is_public = false;                  // by the owner's word
  std::vector<std::string> held;  // modes of that model that stay as they are: names, or numbers from 1
  std::optional<std::uint64_t> seed;
  bool score_all = false;

  std::string output, user_output;
  PageOptions page;

  OptionUses uses;

  void declare(OptionTable& table);
  bool is_private() const { return find_method(method).is_private(); }
  bool starts_from_a_model() const { return !from.empty() || from_model; }
};

// Checked and read, and not charged yet.
class CompletionRequest {
 public:
  // A UsageError or an Error where it cannot be met, before anything is charged or released.
  explicit CompletionRequest(const CompletionOptions& options);

  // Once. Charges the ledger before the first release. The charge is delivered by whoever has handed the
  // outcome over.
  CompletionOutcome run(const Watcher& watcher);

  const CompletionJob& job() const { return job_; }
  const CompletionData& data() const { return run_.data(); }
  Payment& payment() { return payment_; }

 private:
  CompletionRequest(const CompletionOptions& options, std::uint64_t seed);
  CompletionRequest(const CompletionOptions& options, CompletionData data, std::uint64_t seed);

  LedgerOptions ledger_;
  std::vector<std::string> files_;  // of the data that are charged for
  CompletionJob job_;
  CompletionRun run_;
  Payment payment_;
};

// Runs with the epsilons of the page's curve: they are charged to nobody, and nothing of them is saved.
std::vector<AccuracyCurve> curves_of(const CompletionOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
