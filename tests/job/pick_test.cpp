#include <tulle/job/pick.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

SparseTensor sample() {
  SparseTensor cells(Shape{4, 3}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j) cells.append(std::vector<Index>{i, j}, static_cast<float>(i + j));
  return cells;
}

// The run's own remark names the method too.
TEST(Pick, IsTheMethodThatRuns) {
  for (const double epsilon : {0.1, 1.0, 100.0}) {
    CompletionJob job{.method = "auto"};
    job.terms.budget = {epsilon, 0};
    job.terms.range = {0, 5};
    const std::string picked = picked_method(job, sample());
    const Completion done = job.run(sample());
    EXPECT_TRUE(done.remarks.front().starts_with("Chose method " + picked + ":")) << done.remarks.front();
  }
}

TEST(Pick, IsNothingForOtherMethods) {
  CompletionJob job{.method = "input"};
  EXPECT_EQ(picked_method(job, sample()), "");
}

}  // namespace
}  // namespace tulle
