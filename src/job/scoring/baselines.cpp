#include "shown.hpp"

#include <tulle/base/json.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/job/baselines.hpp>
#include <tulle/solve/offsets.hpp>
#include <tulle/tensor/dataset.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tulle {

namespace {

std::vector<double> clamped(std::span<const float> values, const std::optional<Range>& range) {
  std::vector<double> kept(values.begin(), values.end());
  if (range)
    for (double& value : kept) value = range->clamp(value);
  return kept;
}

double error_of(const Biases& prediction, const SparseTensor& test, const std::optional<Range>& range) {
  std::vector<double> predicted(test.size());
  for (std::size_t entry = 0; entry < test.size(); ++entry) {
    const double value = prediction.at(test.cells().cell(entry));
    predicted[entry] = range ? range->clamp(value) : value;
  }
  return rmse(test.values(), predicted);
}

// `or_else`: what to try besides more budget; `plainly`: what to try without privacy.
std::string note(const std::string& baseline, bool is_private, const char* or_else, const char* plainly) {
  const std::string advice =
      fmt::format("try more epsilon, {}; method plain, without noise, shows what there is to find", or_else);
  return fmt::format("The model is no better than {}: {}.", baseline, is_private ? advice : plainly);
}

}  // namespace

std::optional<Baselines> baselines(const SparseTensor& train, const SparseTensor& test,
                                   const std::optional<Range>& range) {
  if (train.unlisted() == Unlisted::zero) return std::nullopt;
  std::vector<double> values = clamped(train.values(), range);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return Baselines{error_of({mean, {}}, test, range),
                   error_of(estimate_offsets(train.cells(), std::move(values)).start, test, range)};
}

std::optional<Baselines> baselines(const std::variant<DenseTensor, SparseTensor>& train,
                                   const SparseTensor& test, const std::optional<Range>& range) {
  if (const auto* sparse = std::get_if<SparseTensor>(&train)) return baselines(*sparse, test, range);
  return baselines(observed(Dataset{{}, train}), test, range);
}

void add(const std::optional<Baselines>& baselines, Json& report, OwnerFields& owner) {
  owner.add(report, "baseline_mean_rmse", baselines ? finite_or_null(baselines->mean) : Json());
  owner.add(report, "baseline_main_effects_rmse",
            baselines ? finite_or_null(baselines->main_effects) : Json());
}

std::string text(const Baselines& baselines) {
  return fmt::format("RMSE {} of the mean of the training values, {} of mean and main effects (no noise)",
                     shown(baselines.mean, 5), shown(baselines.main_effects, 5));
}

double majority_accuracy(std::span<const int> train, std::span<const int> test) {
  std::map<int, std::size_t> counts;
  for (const int label : train) ++counts[label];
  if (counts.empty() || test.empty()) return std::nan("");
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  return static_cast<double>(std::ranges::count(test, most->first)) / static_cast<double>(test.size());
}

std::string majority_text(double accuracy) {
  return fmt::format("accuracy {:.4f} of the most frequent class of the training data", accuracy);
}

double unigram_perplexity(const Documents& train, const Documents& test) {
  constexpr double kHalf = 0.5;
  std::vector<double> counts(train.vocabulary(), kHalf);
  for (std::size_t document = 0; document < train.size(); ++document)
    for (const Index word : train[document]) ++counts[word];
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  double log_likelihood = 0, words = 0;
  for (std::size_t document = 0; document < test.size(); ++document)
    for (const Index word : test[document]) {
      log_likelihood += std::log(counts[word] / all);
      ++words;
    }
  return std::exp(-log_likelihood / words);
}

std::optional<std::string> no_better_note(double rmse, const std::optional<Baselines>& baselines,
                                          bool is_private) {
  if (!baselines) return std::nullopt;
  const bool of_mean = !(baselines->main_effects < baselines->mean);
  const double best = of_mean ? baselines->mean : baselines->main_effects;
  if (!(rmse >= best)) return std::nullopt;
  return note(fmt::format("{} of the training values (RMSE {:.5g}) on these cells",
                          of_mean ? "the mean" : "mean and main effects", best),
              is_private, "or refit with rank 0", "try a smaller rank");
}

std::optional<std::string> no_better_classes_note(double accuracy, double majority_accuracy,
                                                  bool is_private) {
  if (!(accuracy <= majority_accuracy)) return std::nullopt;
  return note(fmt::format("the most frequent class of the training data (accuracy {:.4f}) on these examples",
                          majority_accuracy),
              is_private, "or another method", "try other hidden layers or more steps");
}

std::optional<std::string> no_better_topics_note(double perplexity, double unigram_perplexity,
                                                 bool is_private) {
  if (!(perplexity >= unigram_perplexity)) return std::nullopt;
  return note(
      fmt::format("the shares of words in the training documents (perplexity {:.5g}) on these documents",
                  unigram_perplexity),
      is_private, "or fewer topics", "try fewer topics");
}

}  // namespace tulle
