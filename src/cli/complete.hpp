// What `tulle complete` is asked for and does, for the command and for programs that embed it.
#pragma once

#include "input/data_arguments.hpp"
#include "options.hpp"
#include "page/page_options.hpp"
#include "privacy_options.hpp"

#include <tulle/job/completion_run.hpp>
#include <tulle/job/payment.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

struct CompleteOptions {
  DataArguments data;
  PrivacyOptions privacy;
  LedgerOptions ledger;
  Settings settings;
  FitOptions fit;
  PageOptions page;
  OptionUses uses;
  std::string method = "auto", rank, start, from, hold, output, user_output;
  std::optional<std::uint64_t> seed;
  bool json = false, verbose = false, score_all = false, from_is_public = false;

  void declare(Verb& verb);
  bool is_private() const { return find_method(method).is_private(); }
  bool asks_for_a_rank() const { return !rank.empty() && rank != "auto"; }
};

// A completion that was asked for: checked and its data read, and not charged yet.
class RequestedCompletion {
 public:
  explicit RequestedCompletion(const CompleteOptions& options);

  // Charges the ledger before the first release. The charge is delivered by whoever has handed the outcome
  // over.
  CompletionOutcome run(const Observer& observer);

  const CompletionJob& job() const { return job_; }
  const CompletionData& data() const { return run_.data(); }
  Payment& payment() { return payment_; }

 private:
  RequestedCompletion(const CompleteOptions& options, std::uint64_t seed);
  RequestedCompletion(const CompleteOptions& options, CompletionData data, std::uint64_t seed);

  LedgerOptions ledger_;
  std::vector<std::string> files_;  // of the data that are charged for
  CompletionJob job_;
  CompletionRun run_;
  Payment payment_;
};

}  // namespace tulle::cli
