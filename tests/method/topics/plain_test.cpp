#include "method/topics/samples.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

// The estimator of histogram, with all noise left out.
TEST(PlainTopics, IsHistogramWithoutNoise) {
  const Matrix truth = true_topics(8, 3);
  const Corpus corpus = made_up(truth, 20000, 3, 1);
  const TopicOutcome plain = TopicRun{.method = "plain"}(corpus);
  EXPECT_EQ(plain.guarantee.status, Guarantee::Status::none);
  TopicRun private_run;
  private_run.terms.budget = {1e5, 0};
  EXPECT_TRUE(private_run(corpus).model.topics.isApprox(plain.model.topics, 1e-3));
}

}  // namespace
}  // namespace tulle
