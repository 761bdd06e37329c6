// Works in two steps on a few kilobytes at a time. The first lists the places of all bytes that end a number,
// 64 bytes at once. The second reads the numbers between them: one of up to eight digits is a load, a shift
// and three multiplications, without a branch on its length, and no number waits for the end of the one
// before it. (G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second", 2019, find the structure of
// a text first in the same way.)
#include "text/plain_lines.hpp"

#include "text/byte_map.hpp"
#include "text/number.hpp"

#include <array>
#include <bit>

namespace tulle {
namespace {

// For every byte, the numbers of its set bits, in order, and their count.
struct BitNumbers {
  std::array<std::array<std::uint8_t, 8>, 256> numbers{};
  std::array<std::uint8_t, 256> counts{};

  constexpr BitNumbers() {
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::uint8_t bit = 0; bit < 8; ++bit)
        if (byte >> bit & 1) numbers[byte][counts[byte]++] = bit;
  }
};
constexpr BitNumbers kBits;

using Place = std::uint16_t;  // from the start of a section of text

// The places of bytes that are neither digits nor '-' in a section of text: separators, points, line ends.
class Places {
 public:
  static constexpr std::size_t kLeastBytes = 128, kMostBytes = 4096;

  void find(const char* text, std::size_t bytes) {
    count_ = 0;
    for (std::size_t start = 0; start < bytes; start += kMapBytes) {
      std::uint64_t map = map_others(text + start);
      if (bytes - start < kMapBytes) map &= (std::uint64_t{1} << (bytes - start)) - 1;
#pragma GCC unroll 8
      for (std::size_t byte = 0; byte < 8; ++byte) {
        const std::size_t bits = map >> 8 * byte & 0xff;
        // Writes all eight at once; the next write overwrites the surplus.
        for (std::size_t i = 0; i < 8; ++i)
          places_[count_ + i] = static_cast<Place>(start + 8 * byte + kBits.numbers[bits][i]);
        count_ += kBits.counts[bits];
      }
    }
  }

  const Place* begin() const {
    return places_.data();
  }
  const Place* end() const {
    return places_.data() + count_;
  }

 private:
  std::size_t count_ = 0;
  std::array<Place, kMostBytes + 8> places_;
};

// With '0' removed, a minus has a bit that digits do not have.
constexpr std::uint64_t kMinusBits = 0x1010'1010'1010'1010;

// Marks of odd positions in a line, gathered without branches by OR.
struct Oddities {
  std::uint64_t lengths = 0;    // of the numbers, minus 1: at most 7 for one to eight digits
  std::uint64_t words = 0;      // their digits
  std::uint64_t positions = 0;  // from 0: a 0 in the text wraps around
  unsigned separators = 0;      // bits in which the bytes after the numbers differ from the separator

  bool any() const {
    return lengths > 7 || (words & kMinusBits) != 0 || positions >> 32 != 0 || separators != 0;
  }
};

// mantissa / 10^decimals, for up to eight digits.
//
// A division would be rounded once, but is slow. The product with the reciprocal is rounded twice, so it may
// be two units of a double away from the true value; the two round to different floats only if a midpoint
// between floats lies between them. Returns false if a midpoint is that near.
inline bool nearest_float(std::uint64_t mantissa, std::uint64_t decimals, bool negative, float& value) {
  static constexpr std::array<double, 8> kReciprocals{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};
  constexpr std::uint64_t kUnits = 2;
  const double product = static_cast<double>(static_cast<std::int64_t>(mantissa)) * kReciprocals[decimals];
  // A branch on the sign would be mispredicted half of the time.
  value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(product)) |
                               std::uint32_t{negative} << 31);
  const std::uint64_t beyond = std::bit_cast<std::uint64_t>(product) - kFloatMidpoint + kUnits;
  return (beyond & kBitsBeyondFloat) > 2 * kUnits;
}

// Reads "12" or "-1.25", up to eight digits, at once, and the line end. Moves `place` from the byte after the
// first digits to the line end.
[[gnu::always_inline]] inline bool read_short_decimal(const char* text, std::size_t start,
                                                      const Place*& place, float& value) {
  const bool negative = text[start] == '-';
  start += negative;
  const std::size_t point = *place, whole = point - start;
  std::uint64_t word = word_of_digits(text + start, whole);
  std::size_t decimals = 0, end = point, lengths = whole - 1;
  if (text[point] == '.') {
    end = *++place;
    decimals = end - point - 1;
    lengths |= (decimals - 1) | (whole + decimals - 1);
    word = word >> 8 * decimals % 64 | word_of_digits(text + point + 1, decimals);
  }
  return lengths <= 7 && text[end] == '\n' && (word & kMinusBits) == 0 &&
         nearest_float(join_digits(word), decimals, negative, value);
}

// Reads any other number, with an exponent or more digits. Moves `place` to the line end, if that is listed.
[[gnu::noinline]] bool read_decimal(const char* text, std::size_t start, const Place*& place,
                                    const Place* last, float& value) {
  const auto number = parse_real<float>(text + start);
  const char* const line_end = number.end + (*number.end == '\r');
  if (number.fault != NumberFault::none || *line_end != '\n') return false;
  value = number.value;
  while (place < last && text + *place < line_end) ++place;
  return place < last;
}

// Reads the lines of a section of text. The order is a template parameter, so that the compiler unrolls the
// loop over columns.
template <int order>
class LineReader {
 public:
  LineReader(EntryBlock& block, char separator) : separator_(separator) {
    for (int mode = 0; mode < order; ++mode) columns_[mode] = block.column(mode) + block.size();
    values_ = block.values() + block.size();
  }

  // Reads lines up to an odd one, or to one that may continue after the listed places; returns its start.
  std::size_t read(const char* text, const Places& places) {
    std::size_t start = 0, line = lines_;
    for (const Place* place = places.begin(); places.end() - place >= order + 2; ++place, ++line) {
      const std::size_t value = read_positions(text, start, place, line);
      if (value == kOdd) break;
      place += order;
      if (!read_short_decimal(text, value, place, values_[line])) [[unlikely]]
        if (!read_decimal(text, value, place, places.end(), values_[line])) break;
      start = *place + std::size_t{1};
    }
    lines_ = line;
    return start;
  }

  std::size_t lines() const { return lines_; }

 private:
  static constexpr std::size_t kOdd = ~std::size_t{0};

  // Returns the start of the value.
  std::size_t read_positions(const char* text, std::size_t start, const Place* place,
                             std::size_t line) const {
    Oddities odd;
#pragma GCC unroll 8
    for (int mode = 0; mode < order; ++mode) {
      const std::size_t end = place[mode];
      const std::uint64_t word = word_of_digits(text + start, end - start);
      const std::uint64_t position = join_digits(word) - 1;
      columns_[mode][line] = static_cast<Index>(position);
      odd.lengths |= end - start - 1;
      odd.words |= word;
      odd.positions |= position;
      odd.separators |= static_cast<unsigned>(text[end] ^ separator_);
      start = end + 1;
    }
    return odd.any() ? kOdd : start;
  }

  std::array<Index*, order> columns_;
  float* values_;
  char separator_;
  std::size_t lines_ = 0;
};

template <int order>
std::size_t parse(const char*& at, const char* end, EntryBlock& block) {
  const char separator = at[std::countr_zero(map_others(at)) % kMapBytes];
  if (separator != ' ' && separator != '\t') return 0;
  LineReader<order> reader(block, separator);
  Places places;
  // Odd lines may be frequent: looking far ahead pays off only if plain ones follow each other.
  for (std::size_t ahead = Places::kLeastBytes; at < end; ahead = std::min(2 * ahead, Places::kMostBytes)) {
    places.find(at, std::min(ahead, static_cast<std::size_t>(end - at)));
    const std::size_t read = reader.read(at, places);
    if (read == 0) break;
    at += read;
  }
  return reader.lines();
}

}  // namespace

std::size_t parse_plain_lines(const char*& at, const char* end, EntryBlock& block) {
  static_assert(kMinOrder == 2 && kMaxOrder == 8);
  constexpr std::array kParsers{parse<2>, parse<3>, parse<4>, parse<5>, parse<6>, parse<7>, parse<8>};
  return kParsers[static_cast<std::size_t>(block.order() - kMinOrder)](at, end, block);
}

}  // namespace tulle
