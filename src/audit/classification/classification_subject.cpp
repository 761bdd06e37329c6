#include "subjects.hpp"

namespace tulle::attacks {
namespace {

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

ClassificationJob classifier_job(const Method& method, const WorstCase& worst, const Budget& budget) {
  ClassificationJob job{.method = method.name, .settings = worst.settings};
  job.terms.budget = budget;
  job.terms.relation = worst.neighbours().relation;
  job.terms.range = {0, 1};
  job.terms.calibration = worst.calibration;
  job.options.hidden = std::vector<int>();
  job.options.seed = 5;
  return job;
}

struct ClassifierRunner {
  ClassificationJob job;
  Relation relation;

  bool sampled() const { return job.settings.get(setting::sampling_rate).value_or(1) < 1; }
  // The last example of the second data set, if examples are sampled.
  Watched watched() const { return sampled() ? Watched(1) : Watched(); }
  // A sample with this example, even at rate 1, is not a sample of a data set without it.
  Watched watched_second() const { return relation == Relation::replace ? watched() : Watched(1); }

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const ClassificationOutcome outcome = attacks::observe(
        [&](double which, Curator& curator) {
          return job.run(crafted_examples(which >= 0.5, relation), curator);
        },
        [&](RandomBits stream) { return job.open(std::move(stream)); }, secret, bits,
        relation == Relation::replace ? watched() : Watched(), watched_second(), seen);
    seen.output = published(outcome).numbers;
    return seen;
  }

  Guarantee account() const {
    Curator curator = job.open(RandomBits::seeded(0));
    return job.run(crafted_examples(true, relation), curator).guarantee;
  }

  NeighbouringPair pair() const {
    const bool same_data = sampled() && relation != Relation::replace;
    return neighbouring_pair(job, crafted_examples(same_data, relation), crafted_examples(true, relation),
                             watched());
  }
};

}  // namespace

Subject subject_of(const Method& method, const WorstCase& worst, const CraftedExamples& crafted,
                   const Budget& budget) {
  const Relation relation = crafted.neighbours.relation;
  const ClassifierRunner run{classifier_job(method, worst, budget), relation};
  return {.canary = relation == Relation::replace ? "the label of an example" : "an example, or none",
          .claimed_epsilon = budget.epsilon,
          .account = [run] { return run.account(); },
          .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
          .pair = run.pair()};
}

}  // namespace tulle::attacks
