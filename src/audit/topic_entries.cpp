#include "topic_entries.hpp"

#include "completion_subject.hpp"
#include "sites/site_cast.hpp"

#include <tulle/method/topics.hpp>

#include <functional>

namespace tulle::attacks {
namespace {

constexpr Neighbours kDocument{Unit::document, Relation::replace};

// Public units, and one that depends on the secret.
struct CraftedUnits {
  std::string canary, model;
  std::function<TopicData(bool second)> data;
  int site = 0;  // where the secret is
};

using Words = std::vector<Index>;

struct Corpora {
  std::string canary;
  Words first, second;      // of the canary, the last document
  Index words = 3;          // in the vocabulary
  Words known = {0, 0, 0};  // every other document
  std::size_t others = 1;   // their number
  std::size_t sites = 1;    // sites with one document each, or one site with all
  bool length_public = true;
};

CraftedUnits documents(const Corpora& made) {
  return {made.canary, "topics",
          [=](bool other) {
            Documents documents(made.words);
            for (std::size_t i = 0; i < made.others; ++i) documents.append(made.known, "a known document");
            documents.append(other ? made.second : made.first, "the canary");
            return Corpus{
                std::move(documents),
                made.length_public ? std::optional<std::uint64_t>(made.first.size()) : std::nullopt,
                made.sites > 1 ? std::vector<std::size_t>(made.sites, 1) : std::vector<std::size_t>()};
          },
          static_cast<int>(made.sites) - 1};
}

const CraftedUnits kOtherWord =
    documents({"a document of one word thrice, or of another", {1, 1, 1}, {2, 2, 2}});
// As few values as possible: the worst case for noise by norm.
const CraftedUnits kOneOfTwoWords =
    documents({"a document of one of two words thrice", {0, 0, 0}, {1, 1, 1}, 2});
const CraftedUnits kOtherOrder = documents({"the order of a document's words", {0, 1, 2}, {2, 1, 0}});
const CraftedUnits kLongDocument = documents({.canary = "a document of one word five times, or of another",
                                              .first = {1, 1, 1, 1, 1},
                                              .second = {2, 2, 2, 2, 2},
                                              .known = {0, 0, 0, 0, 0},
                                              .length_public = false});
const CraftedUnits kLargeVocabulary = documents({.canary = "a document of one word thrice, of 293 words",
                                                 .first = {1, 1, 1},
                                                 .second = {2, 2, 2},
                                                 .words = 293});
const CraftedUnits kThreeSites = documents({.canary = "a document of one of three sites",
                                            .first = {1, 1, 1},
                                            .second = {2, 2, 2},
                                            .others = 2,
                                            .sites = 3});

// Odd moments change the most; one coordinate, as for documents of two words.
const CraftedUnits kOtherSign{"a number of length 1, or its opposite", "mixture", [](bool other) {
                                Matrix rows = Matrix::Ones(2, 1);
                                rows(1, 0) = other ? -1 : 1;
                                return Samples{.rows = std::move(rows), .norm = 1, .sites = {}};
                              }};

struct TopicCase {
  std::string method;
  Calibration calibration = Calibration::sound;
  double delta = 0;
  std::uint64_t trials = 20'000, quick_trials = 300;
  int topics = 1;
  bool sites_apart = false;
  std::string_view note;
};

TopicJob topic_job_of(const TopicCase& how, const Budget& budget) {
  TopicJob job;
  job.method = how.method;
  job.terms.budget = budget;
  job.terms.calibration = how.calibration;
  job.terms.unit = Unit::document;
  if (how.sites_apart) job.terms.sites = Sites{.colluding = 1};
  job.options = {.topics = how.topics, .seed = 5};
  return job;
}

struct TopicRunner {
  TopicJob job;
  CraftedUnits units;

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const TopicOutcome outcome = attacks::observe(
        [&](double which, Curator& curator) { return run(units.data(which >= 0.5), curator); },
        [&](RandomBits stream) { return job.open(std::move(stream)); }, secret, bits, {}, {}, seen);
    seen.output = numbers_of(outcome.model);
    // The difference between the two orders of a pair of words is an output of its own.
    const Matrix& moment = outcome.second_moment;
    for (Eigen::Index i = 0; i < moment.rows(); ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        seen.output.push_back(i == j ? moment(i, i) : moment(i, j) - moment(j, i));
    return seen;
  }

  Guarantee account() const {
    Curator curator = job.open(RandomBits::seeded(0));
    return run(units.data(true), curator).guarantee;
  }

  NeighbouringPair pair() const {
    return job.terms.sites ? neighbouring_pair(job, units.data(false), units.data(true), units.site)
                           : neighbouring_pair(job, units.data(false), units.data(true));
  }

 private:
  TopicOutcome run(TopicData data, Curator& curator) const {
    return job.terms.sites ? run_over_sites(job, data, units.site, curator)
                           : job.run(std::move(data), curator);
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
          .note = std::string(how.note),
          .subject = [how, units](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            const TopicRunner run{topic_job_of(how, budget), units};
            return Subject{
                .canary = units.canary,
                .graded = false,
                .claimed_epsilon = budget.epsilon,
                .account = [run] { return run.account(); },
                .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
                .pair = run.pair()};
          }};
}

}  // namespace

std::vector<AuditEntry> topic_entries() {
  constexpr double kDelta = 1e-5;
  constexpr Calibration kPublished = Calibration::published;
  constexpr std::string_view kSame = "the order of words is in no release";
  return {
      topic_entry({.method = "histogram"}, kOtherWord),
      topic_entry({.method = "histogram", .trials = 5'000, .note = kSame}, kOtherOrder),
      topic_entry({.method = "histogram", .delta = kDelta}, kOtherWord),
      topic_entry({.method = "histogram", .topics = 2}, kOtherWord),
      topic_entry({.method = "histogram"}, kLongDocument),
      topic_entry({.method = "histogram", .trials = 1'000, .quick_trials = 100}, kLargeVocabulary),
      topic_entry({.method = "histogram", .delta = kDelta, .sites_apart = true}, kThreeSites),
      topic_entry({.method = "agn", .delta = kDelta}, kOtherWord),
      topic_entry({.method = "agn", .delta = kDelta}, kLongDocument),
      topic_entry({.method = "agn", .delta = kDelta, .sites_apart = true}, kThreeSites),
      topic_entry({.method = "agn", .delta = kDelta, .trials = 5'000, .note = kSame}, kOtherOrder),
      topic_entry({.method = "agn", .calibration = kPublished, .delta = 0.01, .trials = 5'000}, kOtherOrder),
      topic_entry({.method = "avn"}, kOneOfTwoWords),
      topic_entry({.method = "avn", .trials = 5'000, .note = kSame}, kOtherOrder),
      topic_entry({.method = "avn", .calibration = kPublished, .delta = 0.01, .trials = 5'000}, kOtherOrder),
      topic_entry({.method = "power", .delta = kDelta, .quick_trials = 150}, kOneOfTwoWords),
      topic_entry({.method = "power", .delta = kDelta, .quick_trials = 150, .topics = 2}, kOtherWord),
      topic_entry(
          {.method = "power", .calibration = kPublished, .delta = 0.01, .trials = 2'000, .quick_trials = 150},
          kOtherWord),
      topic_entry({.method = "histogram"}, kOtherSign),
      topic_entry({.method = "histogram", .delta = kDelta}, kOtherSign),
      topic_entry({.method = "agn", .delta = kDelta}, kOtherSign),
      topic_entry({.method = "avn"}, kOtherSign),
      topic_entry({.method = "power", .delta = kDelta, .quick_trials = 150}, kOtherSign),
  };
}

}  // namespace tulle::attacks
