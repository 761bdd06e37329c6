#include "method/topics/samples.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

void expect_no_late_refusal(const TopicRun& run, TopicData data, const std::string& what) {
  bool charged = false;
  try {
    find_topics(find_method(run.method, Job::topics), std::move(data), run.terms, run.options,
                [&](const Curator&) { charged = true; });
  } catch (const Error& error) {
    EXPECT_FALSE(charged) << run.method << ", " << what << ": " << error.what();
  }
}

// Every method, many topics or few, documents of any length, words of any number.
TEST(FindTopics, RefusesBeforeItIsCharged) {
  for (const Method& method : methods(Job::topics)) {
    if (!method.is_private()) continue;
    for (double delta : {0.0, 1e-6})
      for (int topics : {0, 1, 5, 6})
        for (Index words : {1u, 2u, 5u}) {
          TopicRun run{.method = method.name, .options = {.topics = topics, .seed = 1}};
          run.terms.budget = {1, delta};
          const std::string what = fmt::format("{} topics of {} words, delta {}", topics, words, delta);
          for (std::size_t length : {1u, 3u, 70u})
            expect_no_late_refusal(run, made_up(true_topics(words, 2), 50, length, 1), what);
          expect_no_late_refusal(run, made_up_mixture(true_topics(words, 2), 0.1, 50, 1), what);
        }
  }
}

}  // namespace
}  // namespace tulle
