#include "exact_ratio.hpp"
#include "subjects.hpp"

#include <tulle/audit/exact.hpp>
#include <tulle/base/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tulle {
namespace {

using attacks::Watched;

struct Release {
  std::string what;
  AdditiveNoise noise;
  bool sampled;
  Witness::ExactAnswers exact;
  std::vector<double> values;
};

std::vector<std::uint64_t> without(std::vector<std::uint64_t> units, const Watched& watched) {
  if (watched) std::erase(units, *watched);
  return units;
}

// A release is recorded before its noise is drawn, so the last record has its name.
std::string last_record(const Curator& curator) {
  const std::vector<Record>& records = AuditedCurator::records(curator);
  return records.empty() ? std::string() : records.back().what;
}

class RecordedRun : public Witness {
 public:
  RecordedRun(const Curator& curator, const Watched& watched) : curator_(curator), watched_(watched) {}

  std::optional<std::uint64_t> watched_unit() const override { return watched_; }
  void sampled(std::vector<std::uint64_t>& units) override {
    batches.push_back(without(units, watched_));
    sampled_ = true;
  }
  void seeded(std::uint64_t& seed) override { seeds.push_back(seed); }
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    releases.push_back({last_record(curator_), noise, std::exchange(sampled_, false), exact, values});
  }

  std::vector<Release> releases;
  std::vector<std::vector<std::uint64_t>> batches;
  std::vector<std::uint64_t> seeds;  // of random numbers that stay private: the same in both runs

 private:
  const Curator& curator_;
  Watched watched_;
  bool sampled_ = false;
};

// ---- The distance of two exact answers ----

// A sampled release is accounted by what one unit adds; under replace another unit takes its place, so sums
// over the same sample may differ by twice that.
double ratio_of(const Release& first, const Witness::ExactAnswers& second, Relation relation) {
  const double times = first.sampled && relation == Relation::replace ? 2 : 1;
  double ratio = 0;
  for (std::size_t i = 0; i < second.answers.size(); ++i)
    ratio = std::max(ratio, exact_ratio(first.noise, first.exact.answers[i], second.answers[i], times));
  for (const Witness::ExactAnswers* exact : {&first.exact, &second})
    if (exact->answers.size() == 2)
      ratio = std::max(ratio, exact_ratio(first.noise, exact->answers[0], exact->answers[1], 1));
  return ratio;
}

// ---- The loss of a pure release ----

struct PureEpsilon {
  std::optional<double> operator()(const LaplaceRelease& noise) const { return 1 / noise.noise_multiplier; }
  std::optional<double> operator()(const DiscreteLaplaceRelease& noise) const {
    return static_cast<double>(noise.sensitivity) / noise.scale;
  }
  std::optional<double> operator()(const Approximate& noise) const {
    return noise.delta == 0 ? std::optional(noise.epsilon) : std::nullopt;
  }
  template <class Other>
  std::optional<double> operator()(const Other&) const {
    return {};
  }
};

bool is_draw(const AdditiveNoise& noise) {
  return noise.name() == "posterior draw";
}

// Only the values that differ, if every value has independent noise of the same scale: the others cancel,
// except for their rounding. Posterior draws are kept whole: they depend on each one's number of terms.
struct Differing {
  std::vector<double> first, second, values;

  Differing(const Release& release, const std::vector<double>& other) {
    const std::vector<double>& one = release.exact.answers.front();
    const bool together = release.noise.name().starts_with("exponential-norm") || is_draw(release.noise);
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] == other[i] && !together) continue;
      first.push_back(one[i]);
      second.push_back(other[i]);
      values.push_back(release.values[i]);
    }
  }
};

// The loss at the released values, and at either of the exact answers, where Laplace, staircase and
// exponential-norm noise have their largest ratio. Mechanisms for bounded values release only a few values.
// The ratio of a posterior draw is largest at the bounds of what can be drawn; values beyond the bounds are
// clamped to them.
double largest_loss(const AdditiveNoise& noise, const Differing& differing) {
  std::vector<const std::vector<double>*> outputs{&differing.values};
  if (noise.name() != "Duchi" && noise.name() != "piecewise")
    outputs.insert(outputs.end(), {&differing.first, &differing.second});
  const std::vector<double> lowest(differing.first.size(), -1e300), highest(differing.first.size(), 1e300);
  if (is_draw(noise)) outputs.insert(outputs.end(), {&lowest, &highest});
  double largest = 0;
  for (const std::vector<double>* output : outputs) {
    const double one = noise.log_likelihood(*output, differing.first);
    const double other = noise.log_likelihood(*output, differing.second);
    // A term of the sum is a few logarithms and a division of at most a few hundred, each wrong by one ulp.
    const double rounding = 0x1p-42 * static_cast<double>(output->size());
    largest = std::max(largest, std::abs(one - other) - rounding);
  }
  return largest;
}

// By how much the probability of some set of keys exceeds what epsilon allows, over delta. Computed with
// rounding.
double loss_of_keys(const Release& first, const std::vector<double>& second, const KeySelection& keys) {
  return keys.delta_between(first.exact.answers.front(), second) / (keys.delta() * (1 + 1e-9));
}

std::optional<double> loss_of(const Release& first, const Witness::ExactAnswers& second) {
  if (first.sampled) return {};
  if (const KeySelection* keys = first.noise.keys())
    return loss_of_keys(first, second.answers.front(), *keys);
  const std::optional<double> epsilon = std::visit(PureEpsilon(), first.noise.event().mechanism());
  if (!epsilon) return {};
  // Epsilon itself is computed back from the noise, with rounding.
  return largest_loss(first.noise, {first, second.answers.front()}) / (*epsilon * (1 + 0x1p-50));
}

// ---- The second run ----

bool same_noise(const AdditiveNoise& a, const AdditiveNoise& b) {
  return a.name() == b.name() && a.coordinates() == b.coordinates() && a.deviation() == b.deviation() &&
         a.event() == b.event() && a.sensitivity().norm() == b.sensitivity().norm() &&
         a.sensitivity().value() == b.sensitivity().value();
}

struct Differs {
  std::string how;
};

class Replay : public Witness {
 public:
  Replay(const RecordedRun& recorded, const Curator& curator, const Watched& watched)
      : recorded_(recorded), curator_(curator), watched_(watched) {}

  std::optional<std::uint64_t> watched_unit() const override { return watched_; }
  bool answers() const override { return true; }
  void sampled(std::vector<std::uint64_t>& units) override {
    if (batch_ == recorded_.batches.size()) throw Differs{"the second run samples more often"};
    if (watched_) units = attacks::with_own_coin(recorded_.batches[batch_], units, watched_);
    ++batch_;
  }
  void seeded(std::uint64_t& seed) override {
    if (seed_ == recorded_.seeds.size()) throw Differs{"the second run draws more seeds"};
    seed = recorded_.seeds[seed_++];
  }
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    const std::string what = last_record(curator_);
    if (releases.size() == recorded_.releases.size())
      throw Differs{fmt::format("only the second run releases '{}'", what)};
    const Release& first = recorded_.releases[releases.size()];
    if (what != first.what || values.size() != first.values.size())
      throw Differs{fmt::format("the runs release {} numbers for '{}' and {} for '{}'", first.values.size(),
                                first.what, values.size(), what)};
    if (!same_noise(noise, first.noise))
      throw Differs{
          fmt::format("the noise of '{}' differs: {} for {} (deviation {}) and {} for {} (deviation {})",
                      what, first.noise.name(), first.noise.sensitivity().value(), first.noise.deviation(),
                      noise.name(), noise.sensitivity().value(), noise.deviation())};
    releases.push_back({what, ratio_of(first, exact, curator_.relation()), loss_of(first, exact)});
    values = first.values;
  }

  std::vector<ExactRelease> releases;

 private:
  const RecordedRun& recorded_;
  const Curator& curator_;
  Watched watched_;
  std::size_t batch_ = 0, seed_ = 0;
};

struct Outcome {
  Published published;
  std::string refused;
  bool for_its_terms = false;  // refused because of its terms
};

Outcome run(const NeighbouringPair& pair, bool second, Curator& curator) {
  try {
    return {pair.run(second, curator), {}};
  } catch (const UsageError& error) {
    return {{}, error.what(), true};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

std::string difference(const Outcome& first, const Outcome& second) {
  if (first.refused != second.refused)
    return fmt::format("one run is refused: '{}', '{}'", first.refused, second.refused);
  const auto& [numbers, lines] = first.published;
  const auto& [other_numbers, other_lines] = second.published;
  if (numbers.size() != other_numbers.size())
    return fmt::format("{} and {} numbers are published", numbers.size(), other_numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::bit_cast<std::uint64_t>(numbers[i]) != std::bit_cast<std::uint64_t>(other_numbers[i]))
      return fmt::format("number {} that is published differs: {}, {}", i + 1, numbers[i], other_numbers[i]);
  if (lines.size() != other_lines.size())
    return fmt::format("{} and {} lines are published", lines.size(), other_lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i] != other_lines[i])
      return fmt::format("a line that is published differs: '{}', '{}'", lines[i], other_lines[i]);
  return {};
}

// A run on terms that a method takes ends normally on any data.
std::string ended(const Outcome& run, std::size_t releases) {
  if (run.refused.empty() || (run.for_its_terms && releases == 0)) return {};
  return fmt::format("both runs end after {} releases: '{}'", releases, run.refused);
}

}  // namespace

double ExactFinding::ratio() const {
  double largest = 0;
  for (const ExactRelease& release : releases) largest = std::max(largest, release.ratio);
  return largest;
}

double ExactFinding::loss() const {
  double largest = 0;
  for (const ExactRelease& release : releases) largest = std::max(largest, release.loss.value_or(0));
  return largest;
}

ExactFinding audit_exactly(const NeighbouringPair& pair, std::uint64_t seed) {
  Curator curator = pair.open(RandomBits::seeded(seed));
  RecordedRun recorded(curator, pair.watched);
  AuditedCurator::watch(curator, recorded);
  const Outcome first = run(pair, false, curator);

  Curator other = pair.open(AuditedCurator::take_bits(curator));
  Replay replay(recorded, other, pair.watched);
  AuditedCurator::watch(other, replay);
  ExactFinding finding;
  try {
    const Outcome second = run(pair, true, other);
    finding.differs = difference(first, second);
    finding.refused = first.refused;
    if (finding.differs.empty() && replay.releases.size() != recorded.releases.size())
      finding.differs = "only the first run goes on to release more";
    if (finding.differs.empty()) finding.differs = ended(first, recorded.releases.size());
  } catch (const Differs& differs) {
    finding.differs = differs.how;
  }
  finding.releases = std::move(replay.releases);
  return finding;
}

namespace {

// What a model file keeps of a measurement.
void add(const Measurement& measured, std::vector<double>& numbers) {
  const auto append = [&](const auto& more) { numbers.insert(numbers.end(), more.begin(), more.end()); };
  for (int mode = 0; measured.positions && mode < measured.positions->order(); ++mode)
    append(measured.positions->column(mode));
  for (const auto& release : measured.releases) {
    append(release.values);
    append(release.units);
    append(release.clipped);
    append(release.chosen);
    append(std::initializer_list<double>{release.deviation, release.typical, release.window});
  }
}

}  // namespace

Published published(const Completion& completion) {
  Published all{attacks::numbers_of(completion.model), completion.remarks};
  if (completion.measured) add(*completion.measured, all.numbers);
  all.lines.push_back(completion.solver);
  all.lines.push_back(to_json(completion.guarantee));
  for (const Iteration& step : completion.history)
    all.numbers.insert(all.numbers.end(), {step.objective, step.change});
  return all;
}

Published published(const TopicOutcome& outcome) {
  Published all{attacks::numbers_of(outcome.model), outcome.remarks};
  if (outcome.measured) add(*outcome.measured, all.numbers);
  all.lines.push_back(to_json(outcome.guarantee));
  return all;
}

Published published(const CountOutcome& outcome) {
  Published all{attacks::numbers_of(outcome.model), outcome.remarks};
  for (const ChosenKeys& keys : outcome.keys)
    all.numbers.insert(all.numbers.end(), keys.positions.begin(), keys.positions.end());
  if (outcome.measured) add(*outcome.measured, all.numbers);
  all.lines.push_back(to_json(outcome.guarantee));
  return all;
}

Published published(const ClassificationOutcome& outcome) {
  Published all{{}, outcome.remarks};
  const auto add = [&](const Network& network) {
    for (const NetworkLayer& layer : network.layers) {
      all.numbers.insert(all.numbers.end(), layer.weights.data(),
                         layer.weights.data() + layer.weights.size());
      all.numbers.insert(all.numbers.end(), layer.bias.data(), layer.bias.data() + layer.bias.size());
    }
  };
  add(outcome.model);
  for (const Network& sample : outcome.samples) add(sample);
  all.lines.push_back(outcome.solver);
  all.lines.push_back(to_json(outcome.guarantee));
  for (const Iteration& step : outcome.history)
    all.numbers.insert(all.numbers.end(), {step.objective, step.change});
  return all;
}

namespace {

template <class Job, class Data>
NeighbouringPair pair_of(const Job& job, Data first, Data second) {
  return {.text = job.method,
          .open = [job](RandomBits bits) { return job.open(std::move(bits)); },
          .run = [job, first = std::move(first), second = std::move(second)](
                     bool other,
                     Curator& curator) { return published(job.run(other ? second : first, curator)); },
          .watched = {}};
}

}  // namespace

NeighbouringPair neighbouring_pair(const CompletionJob& job, SparseTensor first, SparseTensor second,
                                   std::optional<std::uint64_t> watched, std::vector<std::size_t> blanked) {
  const CompletionJob stated = attacks::on_crafted_data(job, first.shape());
  return {.text = job.method,
          .open = [stated](RandomBits bits) { return stated.open(std::move(bits)); },
          .run =
              [stated, first = std::move(first), second = std::move(second), blanked = std::move(blanked)](
                  bool other, Curator& curator) {
                return published(stated.run(other ? second : first, curator,
                                            other ? std::span(blanked) : std::span<const std::size_t>()));
              },
          .watched = watched};
}

NeighbouringPair neighbouring_pair(const TopicJob& job, TopicData first, TopicData second) {
  return pair_of(job, std::move(first), std::move(second));
}

NeighbouringPair neighbouring_pair(const CountJob& job, SparseTensor first, SparseTensor second) {
  return pair_of(job, std::move(first), std::move(second));
}

NeighbouringPair neighbouring_pair(const ClassificationJob& job, LabelledExamples first,
                                   LabelledExamples second, std::optional<std::uint64_t> watched) {
  NeighbouringPair pair = pair_of(job, std::move(first), std::move(second));
  pair.watched = watched;
  return pair;
}

}  // namespace tulle
