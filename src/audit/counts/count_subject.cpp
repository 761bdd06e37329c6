#include "subjects.hpp"

namespace tulle::attacks {
namespace {

SparseTensor events_of(const CraftedCounts& made, bool other) {
  std::vector<std::vector<Index>> cells = made.known;
  for (const std::vector<Index>& event : other ? made.second : made.first) cells.push_back(event);
  SparseTensor events(made.shape, Unlisted::zero);
  for (const std::vector<Index>& cell : cells) events.append(cell, 1);
  return events;
}

}  // namespace

Subject subject_of(const Method& method, const WorstCase& worst, const CraftedCounts& crafted,
                   const Budget& budget) {
  const CountJob job{
      .method = method.name,
      .terms = {.budget = budget, .unit = crafted.neighbours.unit, .relation = crafted.neighbours.relation},
      .how = {.settings = worst.settings}};
  const auto run = [job, crafted](double secret, Curator& curator) {
    return job.run(events_of(crafted, secret >= 0.5), curator);
  };
  const auto open = [job](RandomBits stream) { return job.open(std::move(stream)); };
  return {.canary = crafted.canary,
          .claimed_epsilon = budget.epsilon,
          .account =
              [=] {
                Curator curator = open(RandomBits::seeded(0));
                return run(1, curator).guarantee;
              },
          .run =
              [=](double secret, RandomBits& bits) {
                Observation seen;
                const CountOutcome outcome = observe(run, open, secret, bits, {}, {}, seen);
                seen.output = numbers_of(outcome.model);
                return seen;
              },
          .pair = neighbouring_pair(job, events_of(crafted, false), events_of(crafted, true))};
}

}  // namespace tulle::attacks
