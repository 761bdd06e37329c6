// What `tulle topics` is asked for and does, for the command and for programs that embed it.
#pragma once

#include "options.hpp"
#include "page/page_options.hpp"
#include "privacy_options.hpp"

#include <tulle/io/model_file.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

struct TopicsOptions {
  std::string input, format, truth, method = "histogram", output, vocabulary;
  std::string trust = "central";
  int colluding = 1;
  BudgetOptions privacy;
  LedgerOptions ledger;
  PageOptions page;
  OptionUses uses;
  std::uint64_t words = 0;
  int topics = 0;
  bool mixture = false, json = false;
  std::optional<double> norm;
  std::optional<std::uint64_t> seed;

  void declare(Verb& verb);
  bool is_private() const { return find_method(method, Job::topics).is_private(); }
};

// Topics that were asked for: checked, and not charged yet.
class RequestedTopics {
 public:
  explicit RequestedTopics(const TopicsOptions& options);

  // Reads, and charges the ledger before the first release. The charge is delivered by whoever has handed the
  // outcome over.
  TopicsFound run();
  ModelFile model(const TopicsFound& found) const;  // as it is saved

  const TopicJob& job() const { return job_; }
  const std::vector<std::string>& vocabulary() const { return vocabulary_; }
  Payment& payment() { return payment_; }

 private:
  TopicsOptions options_;
  TopicJob job_;
  Payment payment_;
  std::vector<std::string> vocabulary_;
};

}  // namespace tulle::cli
