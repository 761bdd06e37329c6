// Topics of many words, or of few documents: the shares of all words first, then pairs of the common ones. A
// word that is too rare for its pairs to stand out of their noise would only add noise.
#pragma once

#include "word_plan.hpp"

#include <tulle/method/topics.hpp>

namespace tulle {

Releases count_common_words(const TopicRequest& request, Curator& curator, const WordPlan& plan);

bool has_common_words(const Measurement& measured);
TopicOutcome topics_of_common_words(const Measurement& measured, const TopicOptions& options);

}  // namespace tulle
