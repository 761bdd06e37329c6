#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/baseline_files.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// A model without rows of users knows no name of theirs, and the files list them in different orders.
TEST(BaselineFiles, HaveTheSameUserByTheSameName) {
  const TemporaryFolder folder;
  const std::string train = folder.write("train.csv",
                                         "user,film,rating\na,x,1\na,y,1\na,z,1\nb,x,5\nb,y,5\nb,z,5\n"),
                    test = folder.write("test.csv", "user,film,rating\nb,w,5\na,w,1\n");
  const ReadOptions reading{.known = {{"user", {}, true}, {"film", {"x", "y", "z"}}}};
  const auto found = baselines_of_files(train, test, reading, Range{1, 5});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->mean, 2, 1e-12);
  EXPECT_LT(found->main_effects, 0.01);
}

TEST(BaselineFiles, AreNotReadFromStandardInput) {
  EXPECT_THROW(baselines_of_files("train.csv", "-", {}, {}), UsageError);
}

}  // namespace
}  // namespace tulle
