#include "sites/site_cast.hpp"
#include "subjects.hpp"

#include <tulle/method/topics.hpp>

#include <functional>

namespace tulle::attacks {
namespace {

// With several sites each has one document.
TopicData data_of(const CraftedDocuments& made, int sites, bool other) {
  Documents documents(made.words);
  for (std::size_t i = 0; i < made.others; ++i) documents.append(made.known, "a known document");
  documents.append(other ? made.second : made.first, "the canary");
  return Corpus{std::move(documents),
                made.length_public ? std::optional<std::uint64_t>(made.first.size()) : std::nullopt,
                std::vector<std::size_t>(sites > 1 ? static_cast<std::size_t>(sites) : 0, 1)};
}

TopicData data_of(const CraftedNumbers& made, int, bool other) {
  const std::vector<double>& numbers = other ? made.second : made.first;
  return Samples{.rows = Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size())),
                 .norm = 1,
                 .sites = {}};
}

TopicJob topic_job_of(const Method& method, const WorstCase& worst, const Budget& budget) {
  TopicJob job;
  job.method = method.name;
  job.terms.budget = budget;
  job.terms.calibration = worst.calibration;
  job.terms.unit = Unit::document;
  if (worst.sites > 1) job.terms.sites = worst.stated;
  job.options = {.topics = worst.rank, .seed = 5};
  return job;
}

struct TopicRunner {
  TopicJob job;
  std::function<TopicData(bool other)> data;
  int site;  // where the unit is that differs

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const TopicOutcome outcome = attacks::observe(
        [&](double which, Curator& curator) { return run(data(which >= 0.5), curator); },
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
    return run(data(true), curator).guarantee;
  }

  NeighbouringPair pair() const {
    return job.terms.sites ? neighbouring_pair(job, data(false), data(true), site)
                           : neighbouring_pair(job, data(false), data(true));
  }

 private:
  TopicOutcome run(TopicData units, Curator& curator) const {
    return job.terms.sites ? run_over_sites(job, units, site, curator) : job.run(std::move(units), curator);
  }
};

template <class Crafted>
Subject topic_subject(const Method& method, const WorstCase& worst, const Crafted& crafted,
                      const Budget& budget) {
  const TopicRunner run{topic_job_of(method, worst, budget),
                        [=, sites = worst.sites](bool other) { return data_of(crafted, sites, other); },
                        worst.sites - 1};
  return {.canary = crafted.canary,
          .claimed_epsilon = budget.epsilon,
          .account = [run] { return run.account(); },
          .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
          .pair = run.pair()};
}

}  // namespace

Subject subject_of(const Method& method, const WorstCase& worst, const CraftedDocuments& crafted,
                   const Budget& budget) {
  return topic_subject(method, worst, crafted, budget);
}

Subject subject_of(const Method& method, const WorstCase& worst, const CraftedNumbers& crafted,
                   const Budget& budget) {
  return topic_subject(method, worst, crafted, budget);
}

}  // namespace tulle::attacks
