// A request for a classifier, from the command, Python or C++: the data, the terms of their privacy, the fit,
// the outputs. It is checked as a whole, reads its data, and then runs.
#pragma once

#include <tulle/io/network_file.hpp>
#include <tulle/io/read_labelled.hpp>
#include <tulle/job/charging.hpp>
#include <tulle/job/classify.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/run_plan.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct ClassifierOptions {
  std::string train, test;
  LabelledFileOptions file;  // how files are read: classes, header, image, label column
  std::string test_labels;
  // Public: the number of classes or a list of their labels; COLUMN=FILE of categorical columns; a file of
  // the bounds of columns.
  std::string classes, ranges;
  std::vector<std::string> categories;
  bool image_stated = false;  // whether the size of images, or that there are none, was stated
  std::optional<double> holdout;

  BudgetOptions privacy;
  std::optional<Relation> relation;
  std::optional<Range> range;
  LedgerOptions ledger;

  std::string method = methods(Job::classification).front().name;
  Settings settings;
  ClassificationOptions fit;
  std::optional<PublishedAccounting> accounting;  // of a published form; empty: by the curator
  std::optional<std::uint64_t> seed;

  std::string output;
  PageOptions page;

  OptionUses uses;

  void declare(OptionTable& table);
  const Method& found() const { return find_method(method, Job::classification); }
  bool is_private() const { return found().is_private(); }
};

// A request that was checked and has read its data; nothing is charged yet.
class ClassifierRequest {
 public:
  // A UsageError or an Error if it cannot be met, before anything is charged or released.
  explicit ClassifierRequest(const ClassifierOptions& options);

  // Call once. Charges the ledger before the first release. The caller marks the charge as delivered once the
  // outcome is handed over.
  ClassifierMade run(const Watcher& watcher);
  // Instead of run(): what it would release and cost. A UsageError for a run without privacy.
  RunPlan plan();
  NetworkFile model(const ClassifierMade& made) const;  // in the form that is saved

  const ClassificationJob& job() const { return job_; }
  Payment& payment() { return payment_; }

 private:
  ClassifierOptions options_;
  ClassificationJob job_;
  Payment payment_;
  std::vector<CategoricalColumn> categories_;
  LabelledExamples train_;
  std::optional<LabelledExamples> test_;
  std::vector<std::string> owner_notes_;
  std::vector<LostData> losses_;
};

// Runs with the epsilons of the page's curve: they are charged to no account and save nothing.
std::vector<AccuracyCurve> curves_of(const ClassifierOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
