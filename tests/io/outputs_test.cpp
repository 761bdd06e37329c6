#include "io/temporary_folder.hpp"
#include "sink.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/outputs.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Outputs, AreTriedAndLeaveNothingBehind) {
  const TemporaryFolder folder;
  folder.write("old.npz", "old");
  EXPECT_NO_THROW(check_model_outputs({folder / "new.npz", folder / "old.npz", ""}, {folder / "x.csv"}));
  EXPECT_EQ(folder.files(), 1);
  EXPECT_EQ(folder.read("old.npz"), "old");
}

TEST(Outputs, ThatCannotBeMadeAreErrors) {
  const TemporaryFolder folder;
  EXPECT_THROW(check_outputs({folder / "nowhere/x"}, {}), Error);
  EXPECT_THROW(check_outputs({folder / std::string(300, 'x')}, {}), Error);
  EXPECT_THROW(check_outputs({folder / "."}, {}), Error);
}

TEST(Outputs, OneFileHasOneRole) {
  const TemporaryFolder folder;
  EXPECT_THROW(check_outputs({folder / "x", folder / "./x"}, {}), UsageError);
  EXPECT_THROW(check_outputs({folder / "x"}, {folder / "./x"}), UsageError);
  EXPECT_NO_THROW(check_outputs({"-", "-"}, {"-"}));
}

TEST(Outputs, ModelsAreNpzFiles) {
  const TemporaryFolder folder;
  EXPECT_THROW(check_model_outputs({folder / "model.csv"}, {}), UsageError);
  EXPECT_THROW(check_model_outputs({"-"}, {}), UsageError);
}

// In a process of its own: no output can be made afterwards.
TEST(Outputs, OfAProcessThatIsBrokenOffLeaveNoTemporaryFile) {
  const TemporaryFolder folder;
  const auto break_off = [&] {
    Sink sink(folder / "x");
    sink.write(std::string(1'000'000, 'n'));
    remove_temporary_files();
    _exit(folder.files() == 0 ? 7 : 8);
  };
  EXPECT_EXIT(break_off(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace tulle
