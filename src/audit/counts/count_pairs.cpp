#include "count_pairs.hpp"

#include <tulle/base/random.hpp>
#include <tulle/job/jobs.hpp>

#include <array>
#include <cmath>

namespace tulle::attacks {
namespace {

Shape random_shape(Random& random) {
  std::vector<std::uint64_t> sizes(2 + random.below(3));
  for (std::uint64_t& size : sizes) size = 1 + random.below(5);
  return Shape(sizes);
}

std::vector<Index> random_cell(const Shape& shape, Random& random) {
  std::vector<Index> cell;
  for (const Index size : shape.dimensions()) cell.push_back(static_cast<Index>(random.below(size)));
  return cell;
}

// Mostly few events, so that many cells have none; sometimes about as many as a cell counts.
double random_count(Random& random) {
  if (random.chance(0.1)) return kMostEvents - 2 + static_cast<double>(random.below(6));
  return std::floor(std::pow(1000, random.uniform()));
}

// Counts by cell, in C order; cells that have none are listed or not.
std::vector<double> random_counts(const Shape& shape, Random& random) {
  std::vector<double> counts(shape.cells());
  const double share = random.chance(0.2) ? 0 : random.uniform();
  for (double& count : counts)
    if (random.chance(share)) count = random_count(random);
  return counts;
}

SparseTensor listed(const Shape& shape, const std::vector<double>& counts) {
  SparseTensor events(shape, Unlisted::zero);
  std::array<Index, kMaxOrder> cell{};
  for (const double count : counts) {
    if (count > 0)
      events.append(std::span(cell).first(static_cast<std::size_t>(shape.order())),
                    static_cast<float>(count));
    for (int mode = shape.order() - 1; mode >= 0 && ++cell[mode] == shape[mode]; --mode) cell[mode] = 0;
  }
  return events;
}

Shape with_users(const Shape& shape, int mode, std::uint64_t users) {
  std::vector<std::uint64_t> sizes(shape.dimensions().begin(), shape.dimensions().end());
  sizes.insert(sizes.begin() + mode, users);
  return Shape(sizes);
}

// Takes all events of the first user away.
std::vector<double> without_first_user(const Shape& shape, int mode, std::vector<double> counts) {
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    if (cell / shape.stride(mode) % shape[mode] == 0) counts[cell] = 0;
  return counts;
}

// Few rows of a user, about as many as there are, or as many as a release makes best.
Settings random_limits(Random& random) {
  const auto limit = [&] { return 1 + static_cast<int>(random.below(random.chance(0.5) ? 6 : 2000)); };
  Settings settings;
  if (random.chance(0.7)) settings.set(setting::rows_per_user, limit());
  if (random.chance(0.6)) settings.set(setting::rows_per_cell, limit());
  return settings;
}

Budget random_budget(Random& random) {
  const double epsilon = random.chance(0.3) ? 0.1 : random.chance(0.5) ? 1 : 8;
  return {epsilon, random.chance(0.4) ? 1e-6 : 0};
}

// Positions that few units are at; of the modes that are counted by.
std::vector<int> random_keys(const CountJob& job, const Shape& shape, Random& random) {
  std::vector<int> modes;
  for (int mode = 0; mode < shape.order(); ++mode)
    if ((job.terms.unit != Unit::user || mode != job.terms.user_mode) && random.chance(0.6))
      modes.push_back(mode);
  return modes;
}

}  // namespace

NeighbouringPair random_count_pair(const PairKind& kind, std::uint64_t number) {
  Random random(number, 15);
  const bool of_users = kind.neighbours.unit == Unit::user;
  CountJob job{.method = kind.method,
               .terms = {.unit = kind.neighbours.unit, .relation = kind.neighbours.relation}};
  Shape shape = random_shape(random);
  if (of_users) {
    job.terms.user_mode = static_cast<int>(random.below(static_cast<std::uint64_t>(shape.order()) + 1));
    shape = with_users(shape, job.terms.user_mode, 1 + random.below(random.chance(0.3) ? 40 : 4));
    job.how.settings = random_limits(random);
  }
  std::vector<double> second = random_counts(shape, random);
  std::vector<double> first = second;
  if (of_users)
    first = without_first_user(shape, job.terms.user_mode, second);
  else
    ++second[shape.offset(random_cell(shape, random))];
  if (kind.neighbours.relation == Relation::replace) ++first[shape.offset(random_cell(shape, random))];
  const bool swapped = random.chance(0.5);
  if (swapped) std::swap(first, second);
  job.terms.budget = random_budget(random);
  if (kind.neighbours.relation == Relation::add_remove && random.chance(0.4)) {
    job.terms.budget.delta = random.chance(0.5) ? 1e-6 : 0.01;
    if (!of_users || job.how.settings.get(setting::rows_per_user))
      job.how.private_keys = random_keys(job, shape, random);
  }
  NeighbouringPair pair = neighbouring_pair(job, listed(shape, first), listed(shape, second));
  pair.text = fmt::format("{} pair {}: {} cells, epsilon {}, delta {}, {} {} {}, {} modes with private keys",
                          kind.method, number, shape.text(), job.terms.budget.epsilon, job.terms.budget.delta,
                          of_users ? "a user" : "an event", swapped ? "less" : "more",
                          job.how.settings.text(), job.how.private_keys.size());
  return pair;
}

}  // namespace tulle::attacks
