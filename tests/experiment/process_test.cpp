#include "process.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace tulle {
namespace {

ProcessResult run_script(const std::string& script) {
  return run_process("sh", {"-c", script, "sh", "an argument", ""});
}

TEST(RunProcess, KeepsBothOutputsApart) {
  const ProcessResult result = run_script("echo out; echo err >&2; echo again");
  EXPECT_EQ(result.output, "out\nagain\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.status, 0);
}

TEST(RunProcess, PassesArgumentsAsTheyAre) {
  EXPECT_EQ(run_script("printf '<%s>' \"$@\"").output, "<an argument><>");
}

TEST(RunProcess, TellsAnExitFromASignal) {
  EXPECT_EQ(run_script("exit 7").status, 7);
  EXPECT_EQ(run_script("kill -KILL $$").status, -SIGKILL);
}

TEST(RunProcess, ReadsMoreThanAPipeHolds) {
  const ProcessResult result =
      run_script("head -c 1000000 /dev/zero >&2; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2");
  EXPECT_EQ(result.output.size(), 1'000'000u);
  EXPECT_EQ(result.errors.size(), 2'000'000u);
}

TEST(RunProcess, EndsWhatTakesTooLong) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessResult result =
      run_process("sh", {"-c", "echo begun; exec sleep 60"}, start + std::chrono::milliseconds(300));
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_EQ(result.status, -SIGKILL);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(RunProcess, HasTimeUntilItsEnd) {
  const auto later = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  EXPECT_EQ(run_process("sh", {"-c", "echo done"}, later).output, "done\n");
}

TEST(RunProcess, SaysWhichProgramCannotBeStarted) {
  EXPECT_MESSAGE(run_process("/no/such/program", {}),
                 "/no/such/program cannot be started: No such file or directory");
}

}  // namespace
}  // namespace tulle
