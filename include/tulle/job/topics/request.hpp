// A request for topics, from the command, Python or C++: the data, the terms of their privacy, the fit, the
// outputs. It is checked as a whole, reads its data, and then runs.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/charging.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/report.hpp>
#include <tulle/job/run_plan.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct TopicsOptions {
  std::string input;
  std::optional<Format> format;
  std::string vocabulary;   // a file, or english
  std::uint64_t words = 0;  // its size, if words are numbers
  bool mixture = false;     // of vectors, instead of documents
  std::string truth;        // true topics, to measure the error

  BudgetOptions privacy;
  std::optional<double> norm;  // of the vectors of a mixture
  bool over_sites = false;
  int colluding = 1;
  LedgerOptions ledger;

  std::string method = methods(Job::topics).front().name;
  int topics = 0;
  std::optional<std::uint64_t> seed;

  std::string output;
  bool keep_releases = true;  // in the model file, for a refit
  PageOptions page;

  OptionUses uses;

  void declare(OptionTable& table);
  bool is_private() const { return find_method(method, Job::topics).is_private(); }
};

// A request that was checked and has read its data; nothing is charged yet.
class TopicsRequest {
 public:
  // A UsageError or an Error if it cannot be met, before anything is charged or released.
  explicit TopicsRequest(const TopicsOptions& options);

  // Call once. Charges the ledger before the first release. The caller marks the charge as delivered once the
  // outcome is handed over.
  TopicsFound run(const Watcher& watcher);
  // Instead of run(): what it would release and cost. A UsageError for a run without privacy.
  RunPlan plan();
  ModelFile model(const TopicsFound& found) const;  // in the form that is saved

  const TopicJob& job() const { return job_; }
  const std::vector<std::string>& vocabulary() const { return vocabulary_; }
  Payment& payment() { return payment_; }

 private:
  TopicsOptions options_;
  TopicJob job_;
  Payment payment_;
  std::vector<std::string> vocabulary_;
  std::optional<TopicData> data_;
  std::optional<Matrix> truth_;
  std::vector<LostData> losses_;
  std::vector<std::string> owner_notes_;
};

// Runs with the epsilons of the page's curve: they are charged to no account and save nothing.
std::vector<AccuracyCurve> curves_of(const TopicsOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
