// The job of `tulle classify`: a classifier on terms, its scores on test examples, the report.
#pragma once

#include <tulle/data/class_scores.hpp>
#include <tulle/io/read_labelled.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/method/classification.hpp>

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct ClassificationJob {
  std::string method;
  Terms terms = {.unit = Unit::example};
  Settings settings = {};
  ClassificationOptions options = {};

  const Method& found() const { return find_method(method, Job::classification); }

  // Opens its own curator, which asks for payment.
  ClassificationOutcome run(LabelledExamples data, Pay pay = {}) const;

  Curator open(RandomBits bits) const { return open_curator(found(), terms, std::move(bits)); }
  ClassificationOutcome run(LabelledExamples data, Curator& curator) const {
    return classify(found(), std::move(data), terms, settings, options, curator);
  }
};

// How a file of examples is read for a job. In a private job no public fact follows from the examples, and no
// label is refused: a UsageError if the owner must state the number of classes (idx files have the ten
// digits), or whether the first line of a table is a header.
LabelledFileOptions reading_for(const ClassificationJob& job, const std::string& path,
                                LabelledFileOptions stated);

// The first `fraction` is for training, the rest for testing. Under add-remove each example is assigned
// separately: adding or removing one does not move another.
std::pair<LabelledExamples, LabelledExamples> hold_out(const ClassificationJob& job,
                                                       const LabelledExamples& all, double fraction,
                                                       std::uint64_t seed);

struct ClassifierMade {
  ClassificationOutcome outcome;
  std::size_t examples = 0;           // number of training examples
  std::optional<ClassScores> scores;  // on test examples, if requested
  double baseline_accuracy = 0;       // then, of the most frequent class of the training examples
  double seconds = 0;
  std::vector<std::string> owner_notes = {};
};

// Adds test_accuracy, test_cross_entropy, test_calibration_error, test_entropy and test_examples. Without
// examples the fields are null: whether a part has any is private under add-remove.
void add(const ClassScores& scores, nlohmann::ordered_json& report, OwnerFields& owner);
std::string text(const ClassScores& scores);

nlohmann::ordered_json report_of(const ClassificationJob& job, const ClassifierMade& made);

}  // namespace tulle

#pragma GCC visibility pop
