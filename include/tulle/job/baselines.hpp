// What a model has to beat: predictions that need no model. They are made of the training data without noise,
// so they are for the owner, and harder to beat than what the same budget could release of them.
#pragma once

#include <tulle/job/owner_fields.hpp>
#include <tulle/method/terms.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/documents.hpp>
#include <tulle/tensor/sparse.hpp>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <string>
#include <variant>

#pragma GCC visibility push(default)

namespace tulle {

// Root mean square errors on the cells that a model is tested on.
struct Baselines {
  double mean = 0;          // of the mean of the training values
  double main_effects = 0;  // of the mean and an effect of every position of every mode, shrunk
};

// Training values and predictions are clamped to the range, if there is one. Nothing for a tensor whose
// unlisted cells are zeros: no cell of it is missing.
std::optional<Baselines> baselines(const std::variant<DenseTensor, SparseTensor>& train,
                                   const SparseTensor& test, const std::optional<Range>& range = {});
std::optional<Baselines> baselines(const SparseTensor& train, const SparseTensor& test,
                                   const std::optional<Range>& range = {});

// Adds baseline_mean_rmse and baseline_main_effects_rmse, null where there are none.
void add(const std::optional<Baselines>& baselines, nlohmann::ordered_json& report, OwnerFields& owner);
std::string text(const Baselines& baselines);

// The share of the test labels that are the most frequent label of the training data, of several the first.
// NaN without labels to train or to test on.
double majority_accuracy(std::span<const int> train, std::span<const int> test);
std::string majority_text(double accuracy);

// The perplexity per word of the test documents by the shares of words in the training documents, each word
// counted half a time more than it occurs (Krichevsky and Trofimov 1981). NaN without words to test on.
double unigram_perplexity(const Documents& train, const Documents& test);

// What the owner should do about a model that is no better than a baseline; nothing if it is better, or if
// one of the two is no number.
std::optional<std::string> no_better_note(double rmse, const std::optional<Baselines>& baselines,
                                          bool is_private);
std::optional<std::string> no_better_classes_note(double accuracy, double majority_accuracy, bool is_private);
std::optional<std::string> no_better_topics_note(double perplexity, double unigram_perplexity,
                                                 bool is_private);

}  // namespace tulle

#pragma GCC visibility pop
