#include "source.hpp"

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sink.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::string read_all(Source source, std::size_t block = 7) {
  std::string bytes, buffer(block, '\0');
  while (true) {
    const std::size_t count = source.read(buffer);
    bytes.append(buffer, 0, count);
    if (count < block) return bytes;
  }
}

std::string gzipped(const TemporaryFolder& folder, const std::string& bytes) {
  Sink sink(folder / "made.gz");
  sink.write(bytes);
  sink.commit();
  return folder.read("made.gz");
}

TEST(Source, PlainBytesOfAnyLength) {
  for (const char* text : {"", "a", "ab", "abc", "\x1f", "\x1f\x1f", "abcdefghijklmnopqrstuvwxyz"})
    EXPECT_EQ(read_all(Source::memory("x", text)), text);
}

TEST(Source, Files) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_all(Source(folder.write("x", "some text"))), "some text");
  EXPECT_MESSAGE(Source(folder / "none"), folder / "none" + ": No such file or directory");
  EXPECT_MESSAGE(Source(folder / "."), folder / "." + ": Is a directory");
}

TEST(Source, KnowsTheSizeOfWhatIsNotCompressed) {
  const TemporaryFolder folder;
  EXPECT_EQ(Source(folder.write("x", "some text")).bytes(), 9);
  EXPECT_EQ(Source::memory("x", "some text").bytes(), 9);
  EXPECT_EQ(Source::memory("x", gzipped(folder, "some text")).bytes(), 0);
}

TEST(Source, GzipIsRecognisedByItsBytes) {
  const TemporaryFolder folder;
  const std::string text(100'000, 'x');
  const std::string zipped = gzipped(folder, text);
  EXPECT_LT(zipped.size(), text.size() / 10);
  EXPECT_EQ(read_all(Source::memory("x", zipped), 4096), text);
  EXPECT_EQ(read_all(Source(folder.write("x.tns", zipped)), 1 << 20), text);
}

TEST(Source, GzipMembersFollowEachOther) {
  const TemporaryFolder folder;
  const std::string twice =
      gzipped(folder, "one") + gzipped(folder, "") + gzipped(folder, "two") + std::string(600, '\0');
  EXPECT_EQ(read_all(Source::memory("x", twice)), "onetwo");
}

TEST(Source, GzipCutAnywhereIsAnError) {
  const TemporaryFolder folder;
  const std::string zipped = gzipped(folder, "1 2 3\n4 5 6\n");
  for (std::size_t length = 0; length < zipped.size(); ++length) {
    const std::string path = folder.write("cut.gz", zipped.substr(0, length));
    const std::string expected =
        length < 2 ? ": not a gzip file, although its name ends in .gz; compress or rename it"
                   : ": the gzip data end too early; copy or compress it again";
    EXPECT_MESSAGE(read_all(Source(path)), path + expected) << length;
  }
}

// Every bit that is not free by the format (time, flags, system) is covered by a check.
TEST(Source, GzipDamagedAnywhereIsAnErrorOrTheSameText) {
  const TemporaryFolder folder;
  const std::string text = "1 2 3\n4 5 6\n", zipped = gzipped(folder, text);
  std::size_t errors = 0;
  for (std::size_t at = 2; at < zipped.size(); ++at) {
    std::string damaged = zipped;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    try {
      EXPECT_EQ(read_all(Source::memory("x", damaged)), text) << at;
    } catch (const Error&) {
      ++errors;
    }
  }
  EXPECT_GE(errors, zipped.size() - 10);  // the header has 10 bytes
}

TEST(Source, TextBehindGzipIsAnError) {
  const TemporaryFolder folder;
  const std::string bytes = gzipped(folder, "abc") + "trailing";
  EXPECT_MESSAGE(read_all(Source::memory("x", bytes)),
                 "x: the gzip data are corrupt (incorrect header check); copy or compress it again");
}

}  // namespace
}  // namespace tulle
