#include "completion_pairs.hpp"

#include "sites/coupled_pairs.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tulle::attacks {
namespace {

template <class T, std::size_t N>
const T& pick(const std::array<T, N>& from, Random& random) {
  return from[random.below(N)];
}

template <class T>
const T& pick(const std::vector<T>& from, Random& random) {
  return from[random.below(from.size())];
}

// Draws nothing for a share of 0 or 1.
bool falls_within(double share, Random& random) {
  return share >= 1 || (share > 0 && random.chance(share));
}

// ---- Ranges and values ----

// Unit, wide, with an offset, narrow, negative, and ranges that float32 cannot hold. The last two have so few
// float32 values between their bounds that they are refused.
constexpr std::array<Range, 16> kRanges = {{{0, 1},
                                            {-1, 1},
                                            {1, 5},
                                            {0, 100},
                                            {100, 101},
                                            {-1e6, 1e6},
                                            {-7.3, -7.1},
                                            {0, 1e-6},
                                            {0.5, 0.501},
                                            {36.1, 42.3},
                                            {1'600'000'000, 1'600'200'000},
                                            {-1e-30, 1e-30},
                                            {-0.1, 0.7},
                                            {1e-3, 1e30},
                                            {1'600'000'000, 1'600'000'100},
                                            {16'777'216, 16'777'217}}};
constexpr std::array<Range, 3> kCountRanges = {{{0, 1}, {1, 5}, {0, 100}}};
constexpr std::array<Range, 4> kWholeRanges = {{{0, 1}, {1, 5}, {-3, 10}, {0, 1000}}};

// How the values of a data set are distributed in their range.
enum class Pattern { low, high, bounds, uniform, constant, smooth, beyond };
constexpr std::array kPatterns = {Pattern::low,      Pattern::high,   Pattern::bounds, Pattern::uniform,
                                  Pattern::constant, Pattern::smooth, Pattern::beyond};

float value_of(Pattern pattern, const Range& range, double place, Random& random) {
  const auto at = [&](double share) { return static_cast<float>(range.low + share * range.width()); };
  switch (pattern) {
    case Pattern::low:
      return at(0);
    case Pattern::high:
      return at(1);
    case Pattern::bounds:
      return at(random.chance(0.5) ? 1 : 0);
    case Pattern::uniform:
      return at(random.uniform());
    case Pattern::constant:
      return at(0.25);
    case Pattern::smooth:
      return at(place < 0.5 ? 0 : 1);
    case Pattern::beyond:
      return static_cast<float>(random.chance(0.5) ? range.low - 1e3 * range.width()
                                                   : range.high + 1e3 * range.width());
  }
  return at(0);
}

struct Values {
  float first, second;
};

// The canary's value in each of the two data sets: mostly from one end to the other.
Values extremes(const Range& range, Random& random) {
  const auto low = static_cast<float>(range.low), high = static_cast<float>(range.high);
  Values values{low, high};
  if (random.chance(0.2))
    values = {value_of(Pattern::uniform, range, 0, random), value_of(Pattern::uniform, range, 0, random)};
  else if (random.chance(0.2))
    values = {-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  else if (random.chance(0.2))
    values = {std::nextafter(low, high), std::nextafter(high, low)};
  else if (random.chance(0.1))
    values.first = std::numeric_limits<float>::quiet_NaN();
  if (random.chance(0.5)) std::swap(values.first, values.second);
  return values;
}

// ---- Tensors ----

constexpr std::uint64_t kManyPositions = 140'000;
constexpr std::uint64_t kManyUsers = 150;                 // whose pairs of positions stand out of the noise
constexpr double kDesigned = 0.12, kLargeDesigned = 0.7;  // shares of pairs whose cells follow a design

Shape random_shape(const PairKind& kind, ModelKind model, Random& random) {
  const RandomPairs& pairs = find_method(kind.method).pairs;
  // Sums over this many positions are computed position by position.
  if (kind.neighbours.unit == Unit::user && falls_within(pairs.many_positions, random))
    return Shape{1 + random.below(2), kManyPositions, 1 + random.below(2)};
  // Sums over pairs of positions need 40 cells per pair, or this many users.
  if (falls_within(pairs.planes, random)) {
    if (kind.neighbours.unit == Unit::user && model != ModelKind::tubal && random.chance(0.5))
      return Shape{kManyUsers, (random.chance(0.7) ? 3 : 130) + random.below(3)};
    return Shape{1 + random.below(2), 40 + random.below(3), 40 + random.below(3)};
  }
  if (model == ModelKind::tubal && random.chance(0.1)) return Shape{12, 12, 12};
  if (model == ModelKind::tubal && random.chance(0.3))
    return Shape{6 + random.below(4), 6 + random.below(4), 6 + random.below(4)};
  // Groups of this many positions have features, which need more than 10 cells each.
  if (model != ModelKind::tubal && random.chance(0.03))
    return Shape{22 + random.below(6), 22 + random.below(6)};
  const int order =
      model == ModelKind::tubal ? 3 : 2 + static_cast<int>(random.below(random.chance(0.2) ? 4 : 2));
  std::vector<std::uint64_t> sizes;
  const std::uint64_t most = order > 3 ? 3 : random.chance(0.1) ? 20 : 6;
  for (int mode = 0; mode < order; ++mode) sizes.push_back(1 + random.below(most));
  if (random.chance(0.02)) sizes[random.below(sizes.size())] = 300;
  return Shape(sizes);
}

// Whether a designed experiment observes a cell. Positions that are equal modulo `groups` form a group.
enum class Design { own_group, checkerboard, empty_rows, one_row_and_column };

bool observes(Design design, const Shape& shape, std::size_t offset, Index groups) {
  Index sum = 0, zeros = 0;
  bool alike = true;
  const Index first = static_cast<Index>(offset / shape.stride(0) % shape[0]);
  for (int mode = 0; mode < shape.order(); ++mode) {
    const Index position = static_cast<Index>(offset / shape.stride(mode) % shape[mode]);
    sum += position;
    zeros += position == 0 ? 1 : 0;
    alike = alike && position % groups == first % groups;
  }
  if (design == Design::own_group) return alike;
  if (design == Design::checkerboard) return sum % groups == 0;
  return design == Design::empty_rows ? first % groups == 0 : zeros > 0;
}

// Cells in random order: all, some, a few, those of a design, or all at one position of some mode.
std::vector<std::size_t> random_cells(const Shape& shape, bool dense, Random& random) {
  std::vector<std::size_t> offsets(shape.cells());
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = i;
  random.shuffle(std::span(offsets));
  if (!dense && random.chance(shape.cells() >= 400 ? kLargeDesigned : kDesigned)) {
    const auto design = static_cast<Design>(random.below(4));
    const Index groups = static_cast<Index>(2 + random.below(2));
    std::erase_if(offsets, [&](std::size_t offset) { return !observes(design, shape, offset, groups); });
    return offsets;
  }
  if (dense || random.chance(0.3)) return offsets;
  if (random.chance(0.2)) {
    const int mode = static_cast<int>(random.below(shape.order()));
    std::erase_if(offsets,
                  [&](std::size_t offset) { return offset / shape.stride(mode) % shape[mode] != 0; });
    return offsets;
  }
  const double share = random.chance(0.3) ? 0.05 : random.uniform();
  offsets.resize(
      std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(offsets.size()))));
  return offsets;
}

// One entry differs in its value, or exists in one of the two only; or all entries of a user do.
Tensors neighbours(const Shape& shape, const CompletionJob& job, Relation relation, bool dense, bool sampled,
                   Random& random) {
  const Range& range = job.terms.range;
  const bool users = job.terms.unit == Unit::user;
  const std::vector<std::size_t> offsets = random_cells(shape, dense, random);
  const std::size_t canary = random.below(offsets.size());
  const int mode = job.terms.user_mode;
  const Index user = cell_of_place(shape, offsets[canary])[static_cast<std::size_t>(mode)];
  // With this many cells and similar neighbours, the tubal model releases sums of blocks.
  const Pattern pattern =
      shape.cells() > 1500 && random.chance(0.7) ? Pattern::smooth : pick(kPatterns, random);
  Tensors pair{{shape, Unlisted::missing}, {shape, Unlisted::missing}};
  pair.user = user;
  const bool adds = random.chance(0.5);  // which of the two has the unit that the other lacks
  const bool listed_twice = relation != Relation::zero_out && !sampled && random.chance(0.05);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto positions = cell_of_place(shape, offsets[i]);
    const std::span cell(positions.data(), static_cast<std::size_t>(shape.order()));
    const bool differs = users ? cell[static_cast<std::size_t>(mode)] == user : i == canary;
    if (!differs) {
      const float value = value_of(
          pattern, range, static_cast<double>(offsets[i]) / static_cast<double>(shape.cells()), random);
      // A cell that is listed twice counts once.
      const int times = listed_twice && random.chance(0.2) ? 2 : 1;
      for (int time = 0; time < times; ++time) {
        pair.first.append(cell, value);
        pair.second.append(cell, value);
      }
      continue;
    }
    const auto [one, other] = extremes(range, random);
    if (relation == Relation::replace) {
      pair.first.append(cell, one);
      pair.second.append(cell, other);
    } else if (relation == Relation::zero_out) {
      pair.blanked.push_back(pair.first.size());
      pair.first.append(cell, one);
      pair.second.append(cell, one);
    } else {
      (adds ? pair.second : pair.first).append(cell, one);
    }
  }
  if (!sampled) return pair;
  if (users) {
    pair.watched = user;
  } else {
    // The number of an entry among the units depends on the data. A sampled release is accounted by its
    // answers with and without a unit, so both runs use the same data, which contain every unit.
    if (relation != Relation::replace) {
      pair.blanked.clear();
      SparseTensor& fuller = pair.first.size() > pair.second.size() ? pair.first : pair.second;
      pair.first = pair.second = SparseTensor(fuller);
    }
    pair.watched = random.below(pair.first.size());
  }
  return pair;
}

// ---- Settings ----

// The noises that the method declares; empty: the method chooses. Gaussian noise needs a delta.
std::vector<std::optional<NoiseKind>> noises_of(const Method& method, bool delta) {
  std::vector<std::optional<NoiseKind>> noises{std::nullopt};
  for (const MethodSetting& setting : method.settings)
    for (const NoiseKind noise : setting.noises)
      if (delta || noise != NoiseKind::gaussian) noises.emplace_back(noise);
  return noises;
}

Settings random_settings(const Method& method, const Protects& protects, bool delta, Random& random) {
  const auto has = [&](const auto& setting) {
    const MethodSetting* const found = method.setting(setting.name);
    return found && found->is_read(Calibration::sound, protects.unit);
  };
  Settings settings;
  if (has(setting::noise) && protects.noises.empty())
    if (const auto noise = pick(noises_of(method, delta), random)) settings.set(setting::noise, *noise);
  if (has(setting::entries_per_user) && random.chance(0.6))
    settings.set(setting::entries_per_user, 1 + static_cast<int>(random.below(4)));
  if (has(setting::steps)) {
    settings.set(setting::steps, 1 + static_cast<int>(random.below(2)));
    if (method.setting(setting::steps.name)->limits.allow(0)) {  // else the method chooses, none included
      if (random.chance(0.3)) settings.set(setting::steps, 0);
      if (random.chance(0.4)) settings.reset(setting::steps);
    }
  }
  if (has(setting::sampling_rate) && random.chance(0.05)) settings.set(setting::sampling_rate, 0.5);
  if (has(setting::clip) && random.chance(0.3)) settings.set(setting::clip, random.chance(0.5) ? 0.01 : 1.0);
  if (has(setting::clip_quantile) && random.chance(0.3)) settings.set(setting::clip_quantile, 0.5);
  return settings;
}

// Sums over blocks are of modes with a stated order.
std::vector<ModeOrder> random_orders(int order, Random& random) {
  std::vector<ModeOrder> orders(static_cast<std::size_t>(order));
  for (ModeOrder& one : orders)
    one.kind = random.chance(0.7) ? ModeOrder::Kind::stated : ModeOrder::Kind::none;
  return orders;
}

std::string text_of(const PairKind& kind, std::uint64_t number, const CompletionJob& job, const Shape& shape,
                    const Tensors& pair) {
  std::string text = fmt::format(
      "{} {} {}/{} pair {}: {}, {} and {} cells, range {}:{}, epsilon {}, delta {}, rank {}", kind.method,
      name(job.fit.model), name(kind.neighbours.unit), name(kind.neighbours.relation), number, shape.text(),
      pair.first.size(), pair.second.size(), job.terms.range.low, job.terms.range.high,
      job.terms.budget.epsilon, job.terms.budget.delta, job.fit.ranks.front());
  if (const std::string settings = job.settings.text(); !settings.empty()) text += ", " + settings;
  return text;
}

}  // namespace

RandomCompletion random_completion(const PairKind& kind, std::uint64_t number) {
  Random random(number, 13);
  const Method& method = find_method(kind.method);
  const Protects& protects = method.protection(kind.neighbours.unit, kind.neighbours.relation);
  const bool delta = method.needs_delta_for(protects) || random.chance(0.4);
  CompletionJob job{.method = kind.method,
                    .terms = {.budget = {pick(std::array{0.1, 1.0, 8.0}, random), delta ? 1e-6 : 0},
                              .unit = kind.neighbours.unit,
                              .relation = kind.neighbours.relation},
                    .settings = random_settings(method, protects, delta, random),
                    .fit = {.model = model_of(pick(models_of(kind), random)),
                            .ranks = {method.pairs.means_alone ? 0 : 1 + static_cast<int>(random.below(3))},
                            .seed = random.below(1000)}};
  // A tubal model of all cells is found without iterations.
  if (job.fit.model != ModelKind::tubal && method.does_read(FitOption::iterations, Calibration::sound))
    job.fit.max_iterations = 2;
  const Shape shape = random_shape(kind, job.fit.model, random);
  const bool whole = job.settings.get(setting::noise) == NoiseKind::discrete_laplace;
  job.terms.range = method.pairs.counts ? pick(kCountRanges, random)
                    : whole             ? pick(kWholeRanges, random)
                                        : pick(kRanges, random);
  job.terms.user_mode = static_cast<int>(random.below(shape.order()));
  if (kind.neighbours.unit == Unit::entry || shape[1] == kManyPositions) job.terms.user_mode = 0;
  if (shape[0] == kManyUsers) job.terms.user_mode = 0, job.terms.budget.epsilon = 8;
  const bool many = shape.cells() > 1500;
  const bool dense = method.pairs.planes >= 1 || random.chance(many ? 0.8 : 0.2);
  // This many entries are released in portions.
  const bool portions = method.pairs.in_portions && job.fit.model != ModelKind::tubal;
  if (portions && shape.cells() >= 200 && random.chance(0.5)) job.terms.budget.epsilon = 200;
  if (many && job.fit.model == ModelKind::tubal) job.terms.budget.epsilon = 1;
  // If every user can be removed, somebody else must remain: data without an entry are refused.
  const bool sampled = job.settings.get(setting::sampling_rate).has_value();
  Tensors pair = neighbours(shape, job, kind.neighbours.relation, dense, sampled, random);
  if (pair.first.size() == 0 || pair.second.size() == 0 || pair.blanked.size() == pair.first.size()) {
    const std::vector<Index> cell(static_cast<std::size_t>(shape.order()), 0);
    Tensors other{{shape, Unlisted::missing}, {shape, Unlisted::missing}};
    other.first.append(cell, static_cast<float>(job.terms.range.low));
    other.second = other.first;
    if (sampled) other.watched = 0;
    pair = std::move(other);
  }
  if (method.does_read(FitOption::ordered, Calibration::sound) && random.chance(0.5))
    job.fit.orders = random_orders(shape.order(), random);
  std::string text = text_of(kind, number, job, shape, pair);
  RandomCompletion completion{std::move(job), std::move(pair), std::move(text)};
  couple(completion, number);
  return completion;
}

NeighbouringPair random_completion_pair(const PairKind& kind, std::uint64_t number) {
  auto [job, pair, text] = random_completion(kind, number);
  NeighbouringPair result = neighbouring_pair(job, std::move(pair.first), std::move(pair.second),
                                              pair.watched, std::move(pair.blanked));
  result.text = std::move(text);
  return result;
}

}  // namespace tulle::attacks

namespace tulle {

std::vector<std::string> models_of(const PairKind& kind) {
  if (!kind.model.empty()) return {kind.model};
  const Method& method = find_method(kind.method);
  std::vector<ModelKind> models =
      method.models_for(method.protection(kind.neighbours.unit, kind.neighbours.relation));
  if (models.empty()) models = {ModelKind::cp, ModelKind::tucker, ModelKind::tubal};
  std::vector<std::string> names;
  for (ModelKind model : models) names.emplace_back(name(model));
  return names;
}

}  // namespace tulle
