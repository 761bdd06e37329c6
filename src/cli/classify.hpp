// What `tulle classify` is asked for and does, for the command and for programs that embed it.
#pragma once

#include "options.hpp"
#include "page/page_options.hpp"
#include "privacy_options.hpp"

#include <tulle/io/network_file.hpp>
#include <tulle/io/read_labelled.hpp>
#include <tulle/job/classify.hpp>
#include <tulle/job/payment.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tulle::cli {

struct ClassifyOptions {
  std::string train, test, method = "best", hidden, activation = "relu", output, relation, range;
  std::string accounting = "pld", dropout = "none", header = "auto", image;
  LabelledFileOptions file, test_file;
  std::optional<int> classes;
  double dropout_rate = 0.2;
  BudgetOptions privacy;
  LedgerOptions ledger;
  PageOptions page;
  OptionUses uses;
  std::optional<std::uint64_t> seed;
  std::optional<double> holdout;
  Settings settings;
  bool json = false;

  void declare(Verb& verb);
  const Method& found() const { return find_method(method, Job::classification); }
  bool is_private() const { return found().is_private(); }
};

// A classifier that was asked for: checked, and not charged yet.
class RequestedClassifier {
 public:
  explicit RequestedClassifier(const ClassifyOptions& options);

  // Reads, and charges the ledger before the first release. The charge is delivered by whoever has handed the
  // outcome over.
  ClassifierMade run(const Observer& observer);
  NetworkFile model(const ClassifierMade& made) const;  // as it is saved

  const ClassificationJob& job() const { return job_; }
  Payment& payment() { return payment_; }

 private:
  ClassifyOptions options_;
  std::uint64_t seed_;
  ClassificationJob job_;
  Payment payment_;
};

}  // namespace tulle::cli
