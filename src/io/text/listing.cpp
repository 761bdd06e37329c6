#include "text/listing.hpp"

#include "text/output.hpp"
#include "text/plain_lines.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kLongestQuote = 40;  // characters of the user's text that a message quotes

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

const char* skip_blanks(const char* at) {
  while (is_blank(*at)) ++at;
  return at;
}

std::vector<std::string_view> split(std::string_view line, char comment) {
  std::vector<std::string_view> columns;
  line = line.substr(0, line.find(comment));
  while (true) {
    const auto first = std::find_if_not(line.begin(), line.end(), is_blank);
    if (first == line.end()) return columns;
    const auto last = std::find_if(first, line.end(), is_blank);
    columns.emplace_back(first, last);
    line = std::string_view(last, line.end());
  }
}

// The fault of a line that the fast loop refused.
std::string diagnose(std::string_view line, const Listing& listing) {
  const auto columns = split(line, listing.comment);
  if (static_cast<int>(columns.size()) != listing.columns())
    return fmt::format("{} columns, but {} positions{} make {}; correct the line", columns.size(),
                       listing.order, listing.values == Listing::Values::none ? "" : " and a value",
                       listing.columns());
  for (int mode = 0; mode < listing.order; ++mode) {
    std::string padded(columns[mode]);
    padded.append(kNumberPadding, '\n');
    std::uint64_t position = 0;
    const char* const end = take_digits(padded.data(), position);
    const auto digits = static_cast<std::size_t>(end - padded.data());
    if (digits != columns[mode].size() || digits > 19 || position - 1 >= kMaxDimension)
      return explain_position(columns[mode], mode + 1);
  }
  return explain(parse_field(columns.back()).fault, columns.back());
}

enum class LineOutcome { entry, missing, no_data, wrong };

// Parses one line into the block's next row; unless the line is invalid, `at` moves past its line end.
inline LineOutcome parse_line(const char*& at, const char* end, const Listing& listing, EntryBlock& block,
                              Number<float>& value) {
  const char* next = skip_blanks(at);
  if (*next == '\n' || *next == listing.comment) {
    at = std::find(next, end, '\n') + 1;
    return LineOutcome::no_data;
  }
  const int last = listing.columns() - 1;
  for (int mode = 0; mode < listing.order; ++mode) {
    std::uint64_t position = 0;
    const char* const behind = take_digits(next, position);
    // 0 wraps around, so a single comparison refuses it together with too large numbers; 20 digits or more
    // may wrap as well.
    if (position - 1 >= kMaxDimension || behind - next > 19) return LineOutcome::wrong;
    if (mode < last && !is_blank(*behind)) return LineOutcome::wrong;
    block.column(mode)[block.size()] = static_cast<Index>(position - 1);
    next = skip_blanks(behind);
  }
  value.fault = NumberFault::none;
  if (listing.values == Listing::Values::parsed) {
    value = clamped(parse_real<float>(next), listing.clamp);
    if (value.fault != NumberFault::none && !(value.fault == NumberFault::nan && listing.nan_is_missing))
      return LineOutcome::wrong;
    next = value.end;
  } else if (listing.values == Listing::Values::ignored) {
    if (*next == '\n') return LineOutcome::wrong;
    while (!is_blank(*next) && *next != '\n') ++next;
  }
  next = skip_blanks(next);
  if (*next == listing.comment) next = std::find(next, end, '\n');
  if (*next != '\n') return LineOutcome::wrong;
  at = next + 1;
  return value.fault == NumberFault::none ? LineOutcome::entry : LineOutcome::missing;
}

}  // namespace

EntryBlock parse_listing(std::string_view text, const Listing& listing, SpareBlocks& spare) {
  const std::size_t lines = count_lines(text);
  EntryBlock block = spare.get(lines);
  block.lines = lines;
  const char* at = text.data();
  const char* const end = at + text.size();
  Number<float> value{};
  // The fast parser is tried less and less often if it accepts no lines.
  constexpr std::size_t kLongestPause = 256;
  std::size_t pause = 1, next_try = listing.values == Listing::Values::parsed ? 0 : lines;
  for (std::size_t line = 0; line < lines; ++line) {
    if (line == next_try) {
      const std::size_t plain = parse_plain_lines(at, end, block);
      block.add_lines(line, plain);
      line += plain;
      if (line == lines) break;
      pause = plain > 0 ? 1 : std::min(2 * pause, kLongestPause);
      next_try = line + pause;
    }
    switch (parse_line(at, end, listing, block, value)) {
      case LineOutcome::entry:
        listing.values == Listing::Values::parsed ? block.add(line, value.value) : block.add(line);
        break;
      case LineOutcome::missing:
        block.add_missing();
        break;
      case LineOutcome::no_data:
        break;
      case LineOutcome::wrong: {
        const std::string_view rest(at, end);
        block.error = LineError{line, diagnose(rest.substr(0, rest.find('\n')), listing)};
        return block;
      }
    }
  }
  return block;
}

std::string_view first_data_line(LineChunks& chunks, char comment) {
  for (auto text = chunks.peek(); !text.empty(); text = chunks.peek()) {
    const auto line = text.substr(0, text.find('\n'));
    if (count_columns(line, comment) > 0) return line;
    chunks.drop(line.size() + 1);
  }
  return {};
}

int count_columns(std::string_view line, char comment) {
  return static_cast<int>(split(line, comment).size());
}

void write_listing(Sink& sink, const Dataset& data) {
  std::string line;
  for_each_listed(data, [&](std::span<const Index> cell, auto value) {
    line.clear();
    for (Index position : cell) {
      append_number(line, std::uint64_t{position} + 1);
      line += ' ';
    }
    append_number(line, value);
    sink.write(line += '\n');
  });
}

std::string shortened(std::string_view text) {
  std::string shown(text.substr(0, kLongestQuote));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text.size() > kLongestQuote ? shown + "..." : shown;
}

std::string explain_position(std::string_view text, int column) {
  const auto all_digits = [](std::string_view t) {
    return !t.empty() && t.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (text.starts_with('-') && all_digits(text.substr(1)))
    return fmt::format("position {} in column {} is negative; positions count from 1", shortened(text),
                       column);
  if (!all_digits(text))
    return fmt::format("'{}' in column {} is not a position; positions are whole numbers from 1",
                       shortened(text), column);
  if (text.find_first_not_of('0') == std::string_view::npos)
    return fmt::format("position 0 in column {}; positions count from 1", column);
  return fmt::format("position {} in column {} is larger than {}; number the positions without such gaps",
                     shortened(text), column, kMaxDimension);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string explain(NumberFault fault, std::string_view value, Precision precision) {
  switch (fault) {
    case NumberFault::nan:
      return message(
          "the value '{}' is not a number; remove the line[, or have NaN read as missing (@nan-missing)]",
          shortened(value));
    case NumberFault::infinite:
      return fmt::format("the value '{}' is infinite; remove the line or give a finite value",
                         shortened(value));
    case NumberFault::malformed:
      return fmt::format("the value '{}' is not a number; correct the line", shortened(value));
    default:
      return fmt::format(
          "the value {} is too large; {}scale the data", shortened(value),
          precision == Precision::single ? "values are held in single precision, up to 3.4e38: " : "");
  }
}

}  // namespace tulle
