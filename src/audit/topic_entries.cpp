#include "topic_entries.hpp"

#include "completion_subject.hpp"

#include <tulle/method/topics.hpp>

#include <array>
#include <functional>

namespace tulle::attacks {
namespace {

constexpr Index kWords = 3;
constexpr Neighbours kDocument{Unit::document, Relation::replace};

// Two units, one that anybody may know and one that depends on the secret.
struct CraftedUnits {
  std::string canary, model;
  std::function<TopicData(bool second)> data;
};

using Words = std::array<Index, 3>;

CraftedUnits documents(std::string canary, Words first, Words second) {
  return {std::move(canary), "topics", [=](bool other) {
            Documents documents(kWords);
            documents.append(Words{0, 0, 0}, "the known document");
            documents.append(other ? second : first, "the canary");
            return Corpus{std::move(documents), first.size(), {}};
          }};
}

const CraftedUnits kOtherWord =
    documents("a document of one word thrice, or of another", {1, 1, 1}, {2, 2, 2});
const CraftedUnits kOtherOrder = documents("the order of a document's words", {0, 1, 2}, {2, 1, 0});

// Odd moments move the most.
const CraftedUnits kOtherSign{"a row of length 1, or its opposite", "mixture", [](bool other) {
                                Matrix rows = Matrix::Zero(2, kWords);
                                rows(0, 0) = 1;
                                rows(1, 1) = other ? -1 : 1;
                                return Samples{.rows = std::move(rows), .norm = 1, .sites = {}};
                              }};

struct TopicCase {
  std::string method;
  Calibration calibration = Calibration::sound;
  double delta = 0;
  std::uint64_t trials = 5'000, quick_trials = 300;
};

struct Runner {
  TopicJob job;
  CraftedUnits units;

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const TopicOutcome outcome = attacks::observe(
        [&](double which, Curator& curator) { return job.run(units.data(which >= 0.5), curator); },
        [&](RandomBits stream) { return job.open(std::move(stream)); }, secret, bits, {}, {}, seen);
    seen.output = numbers_of(outcome.model);
    // What is not the same in both orders of two words is a number of its own to look at.
    const Matrix& moment = outcome.second_moment;
    for (Eigen::Index i = 0; i < moment.rows(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        seen.output.push_back(i == j ? moment(i, i) : moment(i, j) - moment(j, i));
    return seen;
  }

  Guarantee account() const {
    Curator curator = job.open(RandomBits::seeded(0));
    return job.run(units.data(true), curator).guarantee;
  }
};

AuditEntry topic_entry(const TopicCase& how, const CraftedUnits& units) {
  return {.name = how.method,
          .calibration = how.calibration,
          .neighbours = kDocument,
          .model = units.model,
          .delta = how.delta,
          .trials = how.trials,
          .quick_trials = how.quick_trials,
          .subject = [how, units](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            const Runner run{{.method = how.method,
                              .terms = {.budget = budget, .calibration = how.calibration},
                              .options = {.topics = 1, .seed = 5}},
                             units};
            return Subject{
                .canary = units.canary,
                .graded = false,
                .claimed_epsilon = budget.epsilon,
                .account = [run] { return run.account(); },
                .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); }};
          }};
}

}  // namespace

std::vector<AuditEntry> topic_entries() {
  constexpr double kDelta = 1e-5;
  constexpr Calibration kPublished = Calibration::published;
  return {
      topic_entry({.method = "histogram"}, kOtherWord),
      topic_entry({.method = "histogram"}, kOtherOrder),
      topic_entry({.method = "histogram", .delta = kDelta}, kOtherWord),
      topic_entry({.method = "agn", .delta = kDelta}, kOtherWord),
      topic_entry({.method = "agn", .delta = kDelta}, kOtherOrder),
      topic_entry({.method = "agn", .calibration = kPublished, .delta = 0.01}, kOtherOrder),
      topic_entry({.method = "avn"}, kOtherWord),
      topic_entry({.method = "avn"}, kOtherOrder),
      topic_entry({.method = "avn", .calibration = kPublished, .delta = 0.01}, kOtherOrder),
      topic_entry({.method = "power", .delta = kDelta, .trials = 2'000, .quick_trials = 150}, kOtherWord),
      topic_entry(
          {.method = "power", .calibration = kPublished, .delta = 0.01, .trials = 2'000, .quick_trials = 150},
          kOtherWord),
      topic_entry({.method = "histogram", .trials = 2'000}, kOtherSign),
      topic_entry({.method = "histogram", .delta = kDelta, .trials = 2'000}, kOtherSign),
      topic_entry({.method = "agn", .delta = kDelta}, kOtherSign),
      topic_entry({.method = "avn"}, kOtherSign),
      topic_entry({.method = "power", .delta = kDelta, .trials = 2'000, .quick_trials = 150}, kOtherSign),
  };
}

}  // namespace tulle::attacks
