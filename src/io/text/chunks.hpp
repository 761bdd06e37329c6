// Text divided into blocks of whole lines, which are parsed in parallel and combined in the order of the
// file.
#pragma once

#include "source.hpp"
#include "text/byte_map.hpp"
#include "text/number.hpp"

#include <tulle/base/error.hpp>

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle {

inline constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

// may_span_lines: a line end between double quotes belongs to a field.
enum class Quotes { none, may_span_lines };

// The number of bytes after a text that the parsers of numbers and the byte maps of lines may read.
inline constexpr std::size_t kTextPadding = kMapBytes + kNumberPadding;

// Whole lines: the text ends in '\n' and kTextPadding readable bytes follow it.
class TextBlock {
 public:
  std::string_view text() const { return {bytes_.data() + begin_, end_ - begin_}; }

 private:
  friend class LineChunks;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// The division depends only on the text and on the size of the chunks. A byte order mark at the beginning is
// dropped.
class LineChunks {
 public:
  explicit LineChunks(Source& source, Quotes quotes = Quotes::none, std::size_t chunk_bytes = kChunkBytes);

  bool next(TextBlock& block);  // false at the end; the block's memory is reused

  // For headers: the text of the next block (empty at the end), and dropping whole lines from its beginning.
  std::string_view peek();
  void drop(std::size_t bytes);

  const std::string& name() const { return source_.name(); }
  std::size_t source_bytes() const { return source_.bytes(); }  // 0 if unknown
  std::size_t dropped_lines() const { return dropped_lines_; }

 private:
  bool fill(TextBlock& block);
  std::size_t last_line_end(std::string_view text) const;  // the place after it; 0 if there is none

  Source& source_;
  Quotes quotes_;
  std::size_t chunk_bytes_;
  std::string carry_;  // the start of a line whose end has not been read yet
  TextBlock peeked_;
  std::size_t dropped_lines_ = 0;
  bool started_ = false;
  bool ended_ = false;
};

std::size_t count_lines(std::string_view text);

// The fault of a line; lines of a block count from 0.
struct LineError {
  std::size_t line;
  std::string reason;
};

// The length of a parsed block's text, its number of lines and, if it was not parsed to its end, the reason.
// Parsers derive their blocks from it.
struct ParsedBlock {
  std::size_t bytes = 0;
  std::size_t lines = 0;
  std::optional<LineError> error;
};

// Calls parse(text) for every block, in parallel, and take(parsed, first_line) in the order of the file, one
// at a time. While one thread reads (or inflates) the next block, the others parse. The error reported is
// that of the first invalid line in the file, for any number of threads: take() gets a block before its error
// is thrown, so that it can throw errors of its own on earlier lines.
template <class Parse, class Take>
void for_each_chunk(LineChunks& chunks, Parse&& parse, Take&& take) {
  using Parsed = decltype(parse(std::string_view{}));
  std::mutex reading, taking;
  std::size_t blocks_read = 0, blocks_taken = 0;
  std::size_t line = chunks.dropped_lines() + 1;
  std::map<std::size_t, Parsed> waiting;
  std::exception_ptr read_failure, failure;
  std::atomic<bool> done = false;

  const auto read_block = [&](TextBlock& block) -> std::optional<std::size_t> {
    const std::lock_guard lock(reading);
    if (done) return {};
    try {
      if (chunks.next(block)) return blocks_read++;
    } catch (...) {
      read_failure = std::current_exception();
    }
    done = true;
    return {};
  };
  // The first failure is kept: after it, no further block is taken.
  const auto take_in_order = [&](std::size_t number, Parsed&& parsed) {
    waiting.emplace(number, std::move(parsed));
    for (auto next = waiting.find(blocks_taken); next != waiting.end(); next = waiting.find(blocks_taken)) {
      Parsed block = std::move(next->second);
      waiting.erase(next);
      std::optional<LineError> error;
      error.swap(block.error);
      const std::size_t lines = block.lines;
      take(std::move(block), line);
      if (error) fail("{}:{}: {}", chunks.name(), line + error->line, error->reason);
      line += lines;
      ++blocks_taken;
    }
  };
  const auto guarded = [&](auto&& work) {
    const std::lock_guard lock(taking);
    if (failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
      done = true;
    }
  };

#pragma omp parallel
  {
    TextBlock block;
    while (const auto number = read_block(block)) {
      try {
        auto parsed = parse(block.text());
        parsed.bytes = block.text().size();
        guarded([&] { take_in_order(*number, std::move(parsed)); });
      } catch (...) {
        guarded([] { throw; });
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (read_failure) std::rethrow_exception(read_failure);
}

}  // namespace tulle
