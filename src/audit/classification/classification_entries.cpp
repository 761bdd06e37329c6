#include "classification_entries.hpp"

#include "transcript.hpp"

#include <tulle/audit/exact.hpp>

namespace tulle::attacks {
namespace {

struct ClassifierCase {
  std::string method;
  Relation relation = Relation::add_remove;
  Calibration calibration = Calibration::sound;
  int steps = 2;
  double rate = 1;
  std::optional<double> clip_quantile = {};
  std::uint64_t trials = 5'000, quick_trials = 300;
  std::string_view note = "";
};

// One example whose gradient is clipped, beside a known one. Under add-remove the first data set lacks it;
// under replace it has the other label there, and the opposite gradient.
LabelledExamples crafted_examples(bool second, Relation relation) {
  const bool there = second || relation == Relation::replace;
  LabelledExamples examples;
  examples.facts = FactsFrom::owner;
  examples.values = FloatMatrix::Ones(there ? 2 : 1, 1);
  examples.labels = {0};
  if (there) examples.labels.push_back(second ? 1 : 0);
  examples.classes = {"0", "1"};
  return examples;
}

ClassificationJob classifier_job(const ClassifierCase& how, const Budget& budget) {
  ClassificationJob job{.method = how.method};
  job.terms.budget = budget;
  job.terms.relation = how.relation;
  job.terms.range = {0, 1};
  job.terms.calibration = how.calibration;
  job.settings.set(setting::steps, how.steps).set(setting::sampling_rate, how.rate).set(setting::clip, 0.5);
  if (how.clip_quantile) job.settings.set(setting::clip_quantile, *how.clip_quantile);
  job.options.hidden = std::vector<int>();
  job.options.seed = 5;
  return job;
}

struct ClassifierRunner {
  ClassifierCase how;
  ClassificationJob job;

  // The last example of the second data set, if examples are sampled.
  Watched watched() const { return how.rate < 1 ? Watched(1) : Watched(); }
  // A sample with this example, even at rate 1, is not a sample of a data set without it.
  Watched watched_second() const { return how.relation == Relation::replace ? watched() : Watched(1); }

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const ClassificationOutcome outcome = attacks::observe(
        [&](double which, Curator& curator) {
          return job.run(crafted_examples(which >= 0.5, how.relation), curator);
        },
        [&](RandomBits stream) { return job.open(std::move(stream)); }, secret, bits,
        how.relation == Relation::replace ? watched() : Watched(), watched_second(), seen);
    seen.output = published(outcome).numbers;
    return seen;
  }

  Guarantee account() const {
    Curator curator = job.open(RandomBits::seeded(0));
    return job.run(crafted_examples(true, how.relation), curator).guarantee;
  }

  NeighbouringPair pair() const {
    const bool same_data = how.rate < 1 && how.relation != Relation::replace;
    return neighbouring_pair(job, crafted_examples(same_data, how.relation),
                             crafted_examples(true, how.relation), watched());
  }
};

AuditEntry classifier_entry(const ClassifierCase& how) {
  return {
      .name = how.method,
      .calibration = how.calibration,
      .neighbours = {Unit::example, how.relation},
      .model = "network",
      .delta = 1e-5,
      .trials = how.trials,
      .quick_trials = how.quick_trials,
      .note = std::string(how.note),
      .subject = [how](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
        const ClassifierRunner run{how, classifier_job(how, budget)};
        return Subject{
            .canary = how.relation == Relation::replace ? "the label of an example" : "an example, or none",
            .graded = false,
            .claimed_epsilon = budget.epsilon,
            .account = [run] { return run.account(); },
            .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
            .pair = run.pair()};
      }};
}

}  // namespace

std::vector<AuditEntry> classification_entries() {
  constexpr Relation kReplace = Relation::replace;
  return {
      classifier_entry({.method = "sgd"}),
      classifier_entry({.method = "sgd", .relation = kReplace}),
      classifier_entry({.method = "sgd", .rate = 0.5}),
      classifier_entry({.method = "sgd", .clip_quantile = 0.5}),
      classifier_entry({.method = "sgld"}),
      classifier_entry({.method = "sgld", .relation = kReplace}),
      classifier_entry({.method = "dpd"}),
      classifier_entry({.method = "dpd", .relation = kReplace}),
      // A batch has at least one of the two examples, while noise is calibrated to the rate.
      classifier_entry({.method = "dpd",
                        .relation = kReplace,
                        .calibration = Calibration::published,
                        .steps = 20,
                        .rate = 0.01}),
      classifier_entry({.method = "best"}),
      classifier_entry({.method = "best", .relation = kReplace}),
  };
}

}  // namespace tulle::attacks
