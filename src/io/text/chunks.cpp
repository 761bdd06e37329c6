#include "text/chunks.hpp"

#include <algorithm>

namespace tulle {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kLongestLine = std::size_t{1} << 26;

// Counts in runs short enough for a byte, so that the compiler compares and adds a vector of bytes at a time.
std::size_t count_byte(std::string_view text, char wanted) {
  constexpr std::size_t kRun = 240;
  std::size_t count = 0;
  while (!text.empty()) {
    std::uint8_t in_run = 0;
    for (char c : text.substr(0, kRun)) in_run += c == wanted;
    count += in_run;
    text.remove_prefix(std::min(kRun, text.size()));
  }
  return count;
}

}  // namespace

std::size_t count_lines(std::string_view text) {
  return count_byte(text, '\n');
}

LineChunks::LineChunks(Source& source, Quotes quotes, std::size_t chunk_bytes)
    : source_(source), quotes_(quotes), chunk_bytes_(chunk_bytes) {}

bool LineChunks::next(TextBlock& block) {
  if (peeked_.begin_ < peeked_.end_) {
    std::swap(block, peeked_);
    peeked_.begin_ = peeked_.end_ = 0;
    return true;
  }
  return fill(block);
}

std::string_view LineChunks::peek() {
  if (peeked_.begin_ == peeked_.end_ && !fill(peeked_)) return {};
  return peeked_.text();
}

void LineChunks::drop(std::size_t bytes) {
  dropped_lines_ += count_lines(peeked_.text().substr(0, bytes));
  peeked_.begin_ += bytes;
}

bool LineChunks::fill(TextBlock& block) {
  block.begin_ = block.end_ = 0;
  if (ended_) return false;
  std::size_t held = carry_.size();
  while (true) {
    // A line longer than a chunk doubles the block, so that the search for its end takes linear time.
    const std::size_t wanted = std::max(chunk_bytes_, held);
    if (block.bytes_.size() < held + wanted + 1 + kTextPadding)
      block.bytes_.resize(held + wanted + 1 + kTextPadding);
    std::copy(carry_.begin(), carry_.end(), block.bytes_.begin());
    const std::size_t count = source_.read(std::span(block.bytes_).subspan(held, wanted));
    carry_.clear();
    const std::string_view text(block.bytes_.data(), held + count);
    if (!started_) {
      started_ = true;
      if (text.starts_with(kByteOrderMark)) block.begin_ = kByteOrderMark.size();
    }
    if (count < wanted) {
      ended_ = true;
      block.end_ = text.size();
      if (block.begin_ < block.end_ && text.back() != '\n') block.bytes_[block.end_++] = '\n';
      return block.begin_ < block.end_;
    }
    const std::size_t cut = last_line_end(text);
    if (cut > block.begin_) {
      block.end_ = cut;
      carry_ = text.substr(cut);
      return true;
    }
    if (text.size() > kLongestLine)
      fail("{}: a line is longer than {} MiB{}; is it a text file?", name(), kLongestLine >> 20,
           quotes_ == Quotes::none ? "" : ", or a quote is not closed");
    held = text.size();
  }
}

std::size_t LineChunks::last_line_end(std::string_view text) const {
  std::size_t end = text.rfind('\n');
  if (quotes_ == Quotes::none) return end + 1;  // npos + 1 is 0
  // A block starts outside quotes, so a line end is outside if an even number of quotes precedes
  // it.
  std::size_t before = count_byte(text, '"');
  std::size_t counted_to = text.size();
  while (end != std::string_view::npos) {
    before -= count_byte(text.substr(end, counted_to - end), '"');
    if (before % 2 == 0) return end + 1;
    counted_to = end;
    end = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  }
  return 0;
}

}  // namespace tulle
