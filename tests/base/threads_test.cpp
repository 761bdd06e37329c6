#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>
#include <omp.h>

#include <vector>

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

TEST(SideBySide, EveryTaskRunsOnceOnOneThread) {
  const int before = threads();
  set_threads(3);
  std::vector<int> runs(50), teams(50);
  run_side_by_side(runs.size(), [&](std::size_t i) {
    ++runs[i];
#pragma omp parallel
#pragma omp single
    teams[i] = omp_get_num_threads();
  });
  set_threads(before);
  EXPECT_EQ(runs, std::vector<int>(50, 1));
  EXPECT_EQ(teams, std::vector<int>(50, 1));
}

TEST(SideBySide, OnlyTasksThatAreSmallEachAndLargeTogether) {
  constexpr double kShared = kWorthWaiting;  // operations of a task that its own kernels share among threads
  EXPECT_FALSE(worth_side_by_side(std::vector<double>{}));
  EXPECT_FALSE(worth_side_by_side(std::vector<double>{kShared}));
  EXPECT_FALSE(worth_side_by_side(std::vector<double>{kShared / 2, kShared / 2}));
  EXPECT_TRUE(worth_side_by_side(std::vector<double>{kShared / 2, kShared}));
  EXPECT_FALSE(worth_side_by_side(std::vector<double>{kShared / 2, 2 * kShared}));
  for (double each : {1.0, kShared}) {
    std::vector<int> runs(9);
    run_small_side_by_side(std::vector<double>(9, each), [&](std::size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(9, 1));
  }
}

TEST(SideBySide, TheFirstExceptionComesOutAfterAllTasksHaveEnded) {
  std::vector<int> runs(20);
  try {
    run_side_by_side(runs.size(), [&](std::size_t i) {
      ++runs[i];
      if (i >= 7) fail("task {}", i);
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "task 7");
  }
  EXPECT_EQ(runs, std::vector<int>(20, 1));
}

}  // namespace
}  // namespace tulle
