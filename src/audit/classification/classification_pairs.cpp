#include "classification_pairs.hpp"

#include <tulle/base/random.hpp>

#include <cmath>
#include <limits>

namespace tulle::attacks {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

// A value at the bounds of the range 0 .. 1, inside, far beyond it, or not a number.
float random_value(Random& random) {
  const double kind = random.uniform();
  if (kind < 0.3) return 0;
  if (kind < 0.6) return 1;
  if (kind < 0.9) return static_cast<float>(random.uniform());
  if (kind < 0.97) return random.chance(0.5) ? 1e30f : -1e30f;
  return kNotANumber;
}

LabelledExamples random_examples(std::size_t count, int side, Eigen::Index features, int classes,
                                 Random& random) {
  LabelledExamples examples;
  examples.facts = FactsFrom::owner;
  examples.height = examples.width = side;
  examples.values.resize(static_cast<Eigen::Index>(count), features);
  const double zeros = random.chance(0.3) ? 0.55 : 0;  // at this share products skip them
  for (float& value : examples.values.reshaped<Eigen::RowMajor>())
    value = random.chance(zeros) ? 0 : random_value(random);
  for (std::size_t i = 0; i < count; ++i)
    examples.labels.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(classes))));
  for (int label = 0; label < classes; ++label) examples.classes.push_back(std::to_string(label));
  return examples;
}

Settings random_steps(Random& random) {
  Settings settings;
  settings.set(setting::steps, 1 + static_cast<int>(random.below(4)));
  settings.set(setting::sampling_rate, random.chance(0.93) ? 1 : 0.5);
  if (random.chance(0.5)) settings.set(setting::clip, random.chance(0.5) ? 0.01 : 1.0);
  if (random.chance(0.3)) settings.set(setting::clip_quantile, 0.5);
  if (random.chance(0.2)) settings.set(setting::learning_rate, 100);
  return settings;
}

std::vector<int> random_hidden(int most, Random& random) {
  std::vector<int> hidden;
  for (std::uint64_t layers = random.below(static_cast<std::uint64_t>(most) + 1); layers > 0; --layers)
    hidden.push_back(1 + static_cast<int>(random.below(random.chance(0.1) ? 130 : 40)));
  return hidden;
}

// Replaces an example by another one.
void replace_example(LabelledExamples& examples, std::size_t which, Random& random) {
  const auto row = static_cast<Eigen::Index>(which);
  for (float& value : examples.values.row(row)) value = random.chance(0.5) ? 1 - value : random_value(random);
  examples.labels[which] = static_cast<int>(random.below(examples.classes.size()));
}

LabelledExamples without_example(const LabelledExamples& examples, std::size_t which) {
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < examples.size(); ++i)
    if (i != which) rest.push_back(i);
  return examples.rows(rest);
}

}  // namespace

// Removing an example moves all that follow to other rows: their contributions must stay the same to the last
// bit. In a sample rows have other numbers then, so there the data are compared with themselves, with and
// without the example.
NeighbouringPair random_classification_pair(const PairKind& kind, std::uint64_t number) {
  Random random(number, 15);
  ClassificationJob job{.method = kind.method, .settings = random_steps(random)};
  job.terms.budget = {random.chance(0.3) ? 0.1 : random.chance(0.5) ? 1 : 8, 1e-6};
  job.terms.relation = kind.neighbours.relation;
  job.terms.range = {0, 1};
  const bool random_units = job.found().pairs.random_units;
  job.options.hidden = random_hidden(random_units ? 1 : 2, random);
  const auto activation = static_cast<Activation>(random.below(3));
  if (!random_units) job.options.activation = activation;
  job.options.seed = random.below(1000);
  // Images of at least 16 x 16 pixels have features of their own (model/image_features.hpp).
  const int side = random.chance(0.8) ? 0 : random.chance(0.1) ? 16 : 8;
  const Eigen::Index features = side > 0 ? side * side : 1 + static_cast<Eigen::Index>(random.below(20));
  const std::size_t count = 2 + random.below(random.chance(0.1) ? 100 : 9);
  LabelledExamples first =
      random_examples(count, side, features, 2 + static_cast<int>(random.below(4)), random);
  const std::size_t canary = random.below(count);
  const bool sampled = *job.settings.get(setting::sampling_rate) < 1;
  LabelledExamples second = first;
  if (kind.neighbours.relation == Relation::replace)
    replace_example(second, canary, random);
  else if (!sampled)
    second = without_example(first, canary);
  const std::string text =
      fmt::format("{} network {}/{} pair {}: {} and {} examples of {} values, epsilon {}, {}", kind.method,
                  name(kind.neighbours.unit), name(kind.neighbours.relation), number, first.size(),
                  second.size(), features, job.terms.budget.epsilon, job.settings.text());
  NeighbouringPair pair = neighbouring_pair(job, std::move(first), std::move(second),
                                            sampled ? std::optional<std::uint64_t>(canary) : std::nullopt);
  pair.text = text;
  return pair;
}

}  // namespace tulle::attacks
