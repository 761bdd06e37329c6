#include "run_fields.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/classify.hpp>

namespace tulle {
namespace {

// Whether the number of examples, even zero, is private.
bool hides_examples(const ClassificationJob& job) {
  const Method& method = job.found();
  return method.is_private() &&
         relation_for(method, Unit::example, job.terms.relation) == Relation::add_remove;
}

}  // namespace

LabelledFileOptions reading_for(const ClassificationJob& job, const std::string& path,
                                LabelledFileOptions stated) {
  constexpr int kDigits = 10;
  if (!job.found().is_private()) return stated;
  if (!stated.classes && stated.known.empty()) {
    if (!holds_bytes(path))
      fail_usage(
          "{}: its classes are never taken from the data, in which one example may be all there is of a "
          "class; state how many classes there are[ (@classes N)]",
          path);
    stated.classes = kDigits;
  }
  if (!stated.header && !is_column_name(stated.label_column) && is_labelled_table(path))
    fail_usage(
        "{}: its first line may be an example, so that it is a header is not inferred; state whether it is[ "
        "(@header)]",
        path);
  stated.clamped = true;
  stated.may_be_empty = hides_examples(job);
  return stated;
}

std::pair<LabelledExamples, LabelledExamples> hold_out(const ClassificationJob& job,
                                                       const LabelledExamples& all, double fraction,
                                                       std::uint64_t seed) {
  return hides_examples(job) ? split_each_example(all, fraction, seed) : split_examples(all, fraction, seed);
}

ClassificationOutcome ClassificationJob::run(LabelledExamples data, Pay pay) const {
  return classify(found(), std::move(data), terms, settings, options, std::move(pay));
}

void add(const ClassScores& scores, Json& report, OwnerFields& owner) {
  const auto add_mean = [&](const char* field, double mean) {
    owner.add(report, field, finite_or_null(mean));
  };
  add_mean("test_accuracy", scores.accuracy);
  add_mean("test_cross_entropy", scores.cross_entropy);
  add_mean("test_calibration_error", scores.calibration_error);
  add_mean("test_entropy", scores.entropy);
  owner.add(report, "test_examples", scores.examples);
}

std::string text(const ClassScores& scores) {
  if (scores.examples == 0) return "no examples to measure on";
  return fmt::format("accuracy {:.4f}, cross-entropy {:.4f}, calibration error {:.4f} on {} examples",
                     scores.accuracy, scores.cross_entropy, scores.calibration_error, scores.examples);
}

Json report_of(const ClassificationJob& job, const ClassifierMade& made) {
  const ClassificationOutcome& outcome = made.outcome;
  Json report;
  report["method"] = job.method;
  report["model"] = "network";
  report["solver"] = outcome.solver;
  report["classes"] = outcome.model.classes.size();
  std::vector<Eigen::Index> hidden;
  for (std::size_t l = 0; l + 1 < outcome.model.layers.size(); ++l)
    hidden.push_back(outcome.model.layers[l].weights.cols());
  report["hidden"] = hidden;
  report["parameters"] = outcome.model.parameters();
  report["samples"] = outcome.samples.size();
  OwnerFields owner;
  owner.add(report, "train_examples", made.examples);
  if (made.scores) {
    add(*made.scores, report, owner);
    owner.add(report, "baseline_accuracy", finite_or_null(made.baseline_accuracy));
  }
  report["iterations"] = outcome.history.size();
  if (outcome.noise_multiplier) report["noise_multiplier"] = *outcome.noise_multiplier;
  if (outcome.dropout_alpha) report["dropout_alpha"] = *outcome.dropout_alpha;
  add_run_fields(report, owner, made.seconds, job.options.seed, outcome.remarks, job.found(),
                 outcome.guarantee);
  if (job.found().is_private()) {
    owner.add(report, "owner_notes", made.owner_notes);
    owner.mark(report);
  }
  return report;
}

}  // namespace tulle
