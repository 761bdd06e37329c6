#include "text/chunks.hpp"

#include "io/expect_error.hpp"

#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

std::vector<std::string> blocks_of(std::string_view text, std::size_t chunk_bytes,
                                   Quotes quotes = Quotes::none) {
  Source source = Source::memory("x", text);
  LineChunks chunks(source, quotes, chunk_bytes);
  std::vector<std::string> blocks;
  for (TextBlock block; chunks.next(block);) blocks.emplace_back(block.text());
  return blocks;
}

std::string joined(const std::vector<std::string>& blocks) {
  std::string text;
  for (const std::string& block : blocks) text += block;
  return text;
}

// Lines of letters, quotes and line ends.
rc::Gen<std::string> any_text() {
  return rc::gen::container<std::string>(rc::gen::element('a', 'b', '"', '\n'));
}

RC_GTEST_PROP(LineChunks, AreTheTextInWholeLines, ()) {
  const std::string text = *any_text();
  const auto blocks = blocks_of(text, *rc::gen::inRange<std::size_t>(1, 9));
  for (const std::string& block : blocks) RC_ASSERT(block.ends_with('\n'));
  RC_ASSERT(joined(blocks) == (text.empty() || text.ends_with('\n') ? text : text + '\n'));
}

RC_GTEST_PROP(LineChunks, AreNotCutWithinQuotes, ()) {
  const std::string text = *any_text();
  RC_PRE(std::ranges::count(text, '"') % 2 == 0);
  const auto blocks = blocks_of(text, *rc::gen::inRange<std::size_t>(1, 9), Quotes::may_span_lines);
  for (const std::string& block : blocks) RC_ASSERT(std::ranges::count(block, '"') % 2 == 0);
  RC_ASSERT(joined(blocks) == (text.empty() || text.ends_with('\n') ? text : text + '\n'));
}

TEST(LineChunks, DropAByteOrderMarkInFrontAlone) {
  for (std::size_t bytes : {3, 4, 100})
    EXPECT_EQ(joined(blocks_of("\xef\xbb\xbf"
                               "a\n\xef\xbb\xbf"
                               "b\n",
                               bytes)),
              "a\n\xef\xbb\xbf"
              "b\n");
}

TEST(LineChunks, AreReadAheadForAHeader) {
  Source source = Source::memory("x", "one\ntwo\nthree\n");
  LineChunks chunks(source);
  EXPECT_EQ(chunks.peek(), "one\ntwo\nthree\n");
  chunks.drop(8);
  EXPECT_EQ(chunks.dropped_lines(), 2u);
  TextBlock block;
  ASSERT_TRUE(chunks.next(block));
  EXPECT_EQ(block.text(), "three\n");
  EXPECT_FALSE(chunks.next(block));
  EXPECT_EQ(chunks.peek(), "");
}

// More lines than one run of bytes is counted for.
TEST(CountLines, CountsLineEnds) {
  EXPECT_EQ(count_lines(""), 0u);
  EXPECT_EQ(count_lines("a\n\nb"), 2u);
  EXPECT_EQ(count_lines(std::string(1000, '\n')), 1000u);
}

struct Lines : ParsedBlock {
  std::string text;
};

// Says that lines which hold only an x are wrong.
Lines parse_lines(std::string_view text) {
  Lines parsed;
  parsed.text = text;
  parsed.lines = count_lines(text);
  if (const auto wrong = ("\n" + parsed.text).find("\nx\n"); wrong != std::string::npos)
    parsed.error = LineError{count_lines(text.substr(0, wrong)), "is an x"};
  return parsed;
}

std::string numbered_lines(int count) {
  std::string text;
  for (int line = 1; line <= count; ++line) text += fmt::format("{}\n", line);
  return text;
}

TEST(ForEachChunk, TakesBlocksInTheOrderOfTheFileWithTheirLines) {
  const std::string text = numbered_lines(500);
  const int before = threads();
  set_threads(3);
  Source source = Source::memory("x", text);
  LineChunks chunks(source, Quotes::none, 16);
  std::string taken;
  for_each_chunk(chunks, parse_lines, [&](const Lines& block, std::size_t first_line) {
    EXPECT_EQ(block.text.substr(0, block.text.find('\n')), fmt::format("{}", first_line));
    EXPECT_EQ(block.bytes, block.text.size());
    taken += block.text;
  });
  set_threads(before);
  EXPECT_EQ(taken, text);
}

TEST(ForEachChunk, ReportsTheFirstWrongLineOfTheFile) {
  const std::string text = numbered_lines(300) + "x\n" + numbered_lines(100) + "x\n";
  const int before = threads();
  for (int count : {1, 3}) {
    set_threads(count);
    Source source = Source::memory("file", text);
    LineChunks chunks(source, Quotes::none, 16);
    EXPECT_MESSAGE(for_each_chunk(chunks, parse_lines, [](const Lines&, std::size_t) {}),
                   "file:301: is an x");
  }
  set_threads(before);
}

}  // namespace
}  // namespace tulle
