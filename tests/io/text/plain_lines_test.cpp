#include "text/plain_lines.hpp"

#include "text/byte_map.hpp"
#include "text/formats.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

namespace tulle {
namespace {

TEST(ByteMap, AsByDefinition) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text(kMapBytes, '\0');
    for (char& c : text)
      c = random.chance(0.5) ? static_cast<char>('0' + random.below(10))
                             : static_cast<char>(random.below(256));
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
      if ((text[i] < '0' || text[i] > '9') && text[i] != '-') expected |= std::uint64_t{1} << i;
    EXPECT_EQ(map_others(text.data()), expected);
  }
}

// How many lines the fast way takes, and their values.
std::vector<float> taken_from(std::string text, int order) {
  const std::size_t size = text.size();
  text.append(kTextPadding, '7');
  EntryBlock block(order, true, size);
  const char* at = text.data();
  const std::size_t lines = parse_plain_lines(at, text.data() + size, block);
  EXPECT_EQ(std::count(std::as_const(text).data(), at, '\n'), static_cast<std::ptrdiff_t>(lines));
  return {block.values(), block.values() + lines};
}

TEST(PlainLines, TakesWhatMostProgramsWrite) {
  EXPECT_EQ(
      taken_from("1 2 3.5\n10 200 -0.25\n3 4 12345678\n99999999 1 0.0001\n5 5 1e-2\n6 6 .5\n7 7 1\n1 1 1.0\n",
                 2),
      (std::vector<float>{3.5, -0.25, 12345678, 0.0001f, 0.01f, 0.5, 1, 1}));
  EXPECT_EQ(taken_from("1\t2\t3\t3.5\r\n1\t2\t4\t7.25\r\n", 3), (std::vector<float>{3.5, 7.25}));
}

TEST(PlainLines, LeavesTheRest) {
  const std::string plain = "1 2 0.5\n";
  for (const char* odd :
       {"",        " 1 2 3.5", "1  2 3.5",  "1\t2 3.5", "1 2 3.5 ", "1 2 3.5 # why",   "# why",
        "1 2",     "1 2 3 4",  "1 0 3.5",   "1 -2 3.5", "1- 2 3.5", "1 123456789 3.5", "1 2 nan",
        "1 2 inf", "1 2 1-2",  "1 2 --1",   "1 2 -",    "1 2 1.-5", "1 2 3.5x",        "1 2 1e99",
        "a 2 3.5", "1 2 .",    "1 2 1.2.3", "1 2 \xff"})
    EXPECT_EQ(taken_from(plain + plain + odd + "\n" + plain + plain, 2), (std::vector<float>{0.5, 0.5}))
        << odd;
}

// Every decimal of up to eight digits whose digits are these, wherever the point is.
TEST(PlainLines, ValuesAreTheNearestFloats) {
  Random random(3);
  std::string text;
  std::vector<float> expected;
  for (int i = 0; i < 200'000; ++i) {
    std::string number = fmt::format("{}", random.below(i % 2 == 0 ? 100'000'000 : 1000));
    const std::size_t point = random.below(number.size() + 1);
    if (point > 0 && point < number.size()) number.insert(point, 1, '.');
    if (random.chance(0.5)) number.insert(0, 1, '-');
    expected.push_back(std::strtof(number.c_str(), nullptr));
    text += fmt::format("{} {} {}\n", i + 1, random.below(99'999'999) + 1, number);
  }
  text += "1 1 1.0\n";
  expected.push_back(1);
  const auto values = taken_from(text, 2);
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(expected[i]));
}

struct Outcome {
  std::vector<std::vector<Index>> columns;
  std::vector<std::uint32_t> values;  // as bits, to tell 0 from -0
  std::string message;

  bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome) {
  return stream << outcome.values.size() << " entries, " << outcome.message;
}

Outcome outcome_of(std::string_view text, bool nan_is_missing, std::size_t chunk_bytes) {
  Outcome outcome;
  try {
    Source source = Source::memory("x.tns", text);
    const Dataset data = read_tns(source, {.nan_is_missing = nan_is_missing}, chunk_bytes);
    const auto& tensor = std::get<SparseTensor>(data.tensor);
    for (int mode = 0; mode < tensor.order(); ++mode)
      outcome.columns.emplace_back(tensor.column(mode).begin(), tensor.column(mode).end());
    for (float value : tensor.values()) outcome.values.push_back(std::bit_cast<std::uint32_t>(value));
  } catch (const Error& error) {
    outcome.message = error.what();
  }
  return outcome;
}

template <class T>
T one_of(Random& random, std::initializer_list<T> choices) {
  return choices.begin()[random.below(choices.size())];
}

std::string random_value(Random& random) {
  switch (random.below(12)) {
    case 0:
      return fmt::format("{}", random.below(100'000'000));
    case 1:
      return fmt::format("{:.17g}", random.normal());
    case 2:
      return fmt::format("{:e}", random.normal());
    case 3:
      return one_of<const char*>(random, {".5", "5.", "+3", "-0", "0.00000001", "00012.500", "1e22", "1e-50",
                                          "16777217", "8388608.5", "1.00000006", "123456789.125", "1E+3"});
    default:
      return fmt::format("{:.6g}", 5 * random.normal());
  }
}

// Lines of which some are odd and, rarely, wrong.
std::string random_line(Random& random, std::size_t number, int order, double odd) {
  if (random.chance(odd / 4)) return one_of<const char*>(random, {"", "# a comment", "   ", "\t", "\r"});
  const std::string separator = random.chance(odd) ? one_of<const char*>(random, {"  ", "\t", " \t "}) : " ";
  std::string line = random.chance(odd / 4) ? " " : "";
  for (int mode = 0; mode < order; ++mode) {
    const std::uint64_t position =
        mode == 0 ? number + 1 : random.below(random.chance(0.5) ? 100 : 70'000) + 1;
    line += random.chance(odd / 8) ? fmt::format("{:012}", position) : fmt::format("{}", position);
    line += separator;
  }
  if (random.chance(odd / 200))
    return line + one_of<const char*>(random, {"", "x", "1 2", "inf", "1e99", "-", "1-2", "--1", "1.2.3"});
  if (random.chance(odd / 200)) return "0 " + line;
  line += random.chance(odd / 8) ? "nan" : random_value(random);
  if (random.chance(odd / 4)) line += one_of<const char*>(random, {" ", "\r", " # behind", "\t\t"});
  return line;
}

// A blank in front of a line keeps it off the fast way and means nothing.
std::string indented(const std::string& text) {
  std::string result = " ";
  for (char c : text) {
    result += c;
    if (c == '\n') result += ' ';
  }
  return result;
}

RC_GTEST_PROP(PlainLines, MeanWhatTheCarefulParserSays, (std::uint64_t seed)) {
  Random random(seed);
  const int order = 2 + static_cast<int>(random.below(7));
  const double odd = one_of(random, {0.0, 0.02, 0.5});
  const std::size_t lines = random.below(random.chance(0.2) ? 1500 : 60) + 1;
  const std::string line_end = random.chance(0.2) ? "\r\n" : "\n";
  std::string text;
  for (std::size_t number = 0; number < lines; ++number)
    text += random_line(random, number, order, odd) + line_end;
  if (random.chance(0.5)) text.resize(text.size() - line_end.size());
  const bool nan_is_missing = random.chance(0.7);
  const std::size_t chunk_bytes = one_of<std::size_t>(random, {64, 1000, 5000, kChunkBytes});
  RC_ASSERT(outcome_of(text, nan_is_missing, chunk_bytes) ==
            outcome_of(indented(text), nan_is_missing, kChunkBytes));
}

// Wherever a line lies in the text: lines cross the borders of maps and of the stretches that are looked at.
TEST(PlainLines, AnywhereInTheText) {
  for (std::size_t shift = 0; shift < 130; ++shift) {
    std::string text = "1 1 0." + std::string(shift, '1') + "\n";
    for (int i = 0; i < 400; ++i) text += fmt::format("{} {} {}.5\n", i + 2, 12345678 - i, i % 7);
    const Outcome outcome = outcome_of(text, false, kChunkBytes);
    ASSERT_EQ(outcome.values.size(), 401) << outcome.message;
    for (std::uint32_t i = 0; i < 400; ++i) {
      EXPECT_EQ(outcome.columns[0][i + 1], i + 1);
      EXPECT_EQ(outcome.columns[1][i + 1], 12345677 - i);
      EXPECT_EQ(outcome.values[i + 1], std::bit_cast<std::uint32_t>(static_cast<float>(i % 7) + 0.5f));
    }
  }
}

}  // namespace
}  // namespace tulle
