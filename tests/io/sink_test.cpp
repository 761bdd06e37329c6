#include "sink.hpp"

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

namespace tulle {
namespace {

TEST(Sink, TheFileAppearsWhenCommitted) {
  const TemporaryFolder folder;
  Sink sink(folder / "x");
  sink.write("half ");
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  sink.write("whole");
  sink.commit();
  EXPECT_EQ(folder.read("x"), "half whole");
  EXPECT_EQ(folder.files(), 1);
}

TEST(Sink, WithoutACommitTheOldFileStays) {
  const TemporaryFolder folder;
  folder.write("x", "old");
  {
    Sink sink(folder / "x");
    sink.write(std::string(1'000'000, 'n'));
  }
  EXPECT_EQ(folder.read("x"), "old");
  EXPECT_EQ(folder.files(), 1);
}

// A limit on the size of files stands for a full disk.
TEST(Sink, AWriteThatFailsKeepsTheOldFile) {
  const TemporaryFolder folder;
  folder.write("x", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of([&] {
    Sink sink(folder / "x");
    sink.write(std::string(1'000'000, 'n'));
    sink.commit();
  });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, folder / "x" + ": File too large");
  EXPECT_EQ(folder.read("x"), "old");
  EXPECT_EQ(folder.files(), 1);
}

TEST(Sink, SaysWhyItCannotWrite) {
  const TemporaryFolder folder;
  EXPECT_MESSAGE(Sink(folder / "none/x"), folder / "none/x" + ": No such file or directory");
  std::filesystem::create_directory(folder / "sub");
  EXPECT_MESSAGE(Sink(folder / "sub"), folder / "sub" + ": not a plain file; choose another name");
}

TEST(Sink, KeepsPermissionsAndLinks) {
  const TemporaryFolder folder;
  folder.write("x", "old");
  ::chmod((folder / "x").c_str(), 0640);
  std::filesystem::create_symlink("x", folder / "link");
  Sink sink(folder / "link");
  sink.write("new");
  sink.commit();
  EXPECT_EQ(folder.read("x"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  struct stat status {};
  ::stat((folder / "x").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0640);
}

TEST(Sink, NewFilesObeyTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  Sink sink(folder / "x");
  sink.commit();
  ::umask(before);
  struct stat status {};
  ::stat((folder / "x").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0640);
}

TEST(Sink, DevicesAreWrittenToDirectly) {
  Sink sink("/dev/null");
  sink.write("gone");
  sink.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, ForWritersWithAPathOfTheirOwn) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "x");
  std::ofstream(file.temporary_path()) << "content";
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  file.commit();
  EXPECT_EQ(folder.read("x"), "content");
  EXPECT_EQ(folder.files(), 1);
}

}  // namespace
}  // namespace tulle
