#include "text/number.hpp"

#include <string>

namespace tulle {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

const char* skip_digits(const char* text) {
  while (is_digit(*text)) ++text;
  return text;
}

// The parts of the text of a number, without its value.
struct Anatomy {
  const char* end;
  bool has_digits;
  bool below_one;  // decides between too large and too small if the number is out of range
};

Anatomy dissect(const char* text) {
  const char* const whole = text + (*text == '-' || *text == '+');
  const char* const point = skip_digits(whole);
  const char* at = *point == '.' ? skip_digits(point + 1) : point;
  const bool has_digits = at - whole > (*point == '.' ? 1 : 0);
  const char* const leading = std::find_if(whole, at, [](char c) { return c >= '1' && c <= '9'; });
  std::int64_t magnitude =
      leading < point ? point - leading : point - leading + 1;  // 10^(magnitude-1) <= x < 10^magnitude
  if (has_digits && (*at | 0x20) == 'e') {
    const bool down = at[1] == '-';
    const char* const first = at + 1 + (down || at[1] == '+');
    const char* const last = skip_digits(first);
    if (first == last) return {at, false, false};
    std::int64_t written = 0;
    // Saturates far above the number of digits that a line can hold.
    for (const char* digit = first; digit < last && written < (std::int64_t{1} << 50); ++digit)
      written = written * 10 + (*digit - '0');
    magnitude += down ? -written : written;
    at = last;
  }
  return {at, has_digits, magnitude <= 0};
}

// The length of the word if the text begins with it in upper or lower case; otherwise 0.
std::size_t match(const char* text, std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i)
    if ((text[i] | 0x20) != word[i]) return 0;
  return word.size();
}

}  // namespace

template <class Real>
Number<Real> parse_hard_real(const char* text) {
  const bool negative = *text == '-';
  const char* const unsigned_text = text + (negative || *text == '+');
  const Anatomy anatomy = dissect(text);
  if (!anatomy.has_digits) {
    using Limits = std::numeric_limits<Real>;
    if (const auto length = match(unsigned_text, "nan"))
      return {unsigned_text + length, Limits::quiet_NaN(), NumberFault::nan};
    for (std::string_view word : {"infinity", "inf"})
      if (const auto length = match(unsigned_text, word))
        return {unsigned_text + length, negative ? -Limits::infinity() : Limits::infinity(),
                NumberFault::infinite};
    return {text, 0, NumberFault::malformed};
  }
  Real value = 0;
  const auto outcome = std::from_chars(unsigned_text, anatomy.end, value);
  if (outcome.ec == std::errc::result_out_of_range)
    value = anatomy.below_one ? 0 : std::numeric_limits<Real>::infinity();
  if (std::isinf(value)) {
    constexpr Real kLargest = std::numeric_limits<Real>::max();
    return {anatomy.end, negative ? -kLargest : kLargest, NumberFault::too_large};
  }
  return {anatomy.end, negative ? -value : value, NumberFault::none};
}

template Number<float> parse_hard_real<float>(const char*);
template Number<double> parse_hard_real<double>(const char*);

Number<double> parse_field(std::string_view field) {
  const auto first = field.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {field.data(), 0, NumberFault::malformed};
  const auto last = field.find_last_not_of(" \t\r");
  std::string padded(field.substr(first, last - first + 1));
  const std::size_t length = padded.size();
  padded.append(kNumberPadding, '\n');
  auto number = parse_real<double>(padded.data());
  if (number.end != padded.data() + length) number.fault = NumberFault::malformed;
  number.end = field.data() + field.size();
  return number;
}

}  // namespace tulle
