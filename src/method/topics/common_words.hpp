// Topics where there are many words or few documents: first the shares of all words, then pairs of the common
// ones. A word so rare that its pairs are lost in the noise would only add noise.
#pragma once

#include "word_plan.hpp"

#include <tulle/method/topics.hpp>

namespace tulle {

Releases count_common_words(const TopicRequest& request, Curator& curator, const WordPlan& plan);

bool has_common_words(const Measurement& measured);
TopicOutcome topics_of_common_words(const Measurement& measured, const TopicOptions& options);

}  // namespace tulle
