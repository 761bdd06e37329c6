#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>
#include <omp.h>

namespace tulle {
namespace {

TEST(Threads, AsManyAsAsked) {
  const int before = threads();
  for (int count : {1, 3, 2}) {
    set_threads(count);
    EXPECT_EQ(threads(), count);
    int team = 0;
#pragma omp parallel
#pragma omp single
    team = omp_get_num_threads();
    EXPECT_EQ(team, count);
  }
  set_threads(before);
}

TEST(Threads, NoneOrFewerIsRefusedAndChangesNothing) {
  const int before = threads();
  for (int count : {0, -1}) EXPECT_THROW(set_threads(count), UsageError);
  EXPECT_EQ(threads(), before);
  try {
    set_threads(0);
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "threads: 0 is not a number of threads; give 1 or more");
  }
}

}  // namespace
}  // namespace tulle
