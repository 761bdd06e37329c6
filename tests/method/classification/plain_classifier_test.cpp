#include "method/classification/blobs.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(PlainClassifier, LearnsTwoClassesWithAndWithoutDropout) {
  testing::ClassifierRun run{"plain"};
  for (Dropout dropout : {Dropout::none, Dropout::binary, Dropout::gaussian}) {
    run.options.dropout = dropout;
    EXPECT_GT(run.accuracy(1000), 0.97) << name(dropout);
  }
}

TEST(PlainClassifier, PromisesNothing) {
  EXPECT_EQ(testing::ClassifierRun{"plain"}(testing::blobs(50)).guarantee.status, Guarantee::Status::none);
}

}  // namespace
}  // namespace tulle
