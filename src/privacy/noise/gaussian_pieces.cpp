#include "noise/gaussian_pieces.hpp"

#include "noise/exact.hpp"

#include <algorithm>

namespace tulle {
namespace {

using exact::Wide;

// A fraction of 1 with 512 binary digits, highest word first. Each operation rounds down, by a few units in
// the last digit; after the 2200 operations that make the table the error is below 2^-480.
struct Fraction {
  static constexpr int kWords = 8;
  std::array<std::uint64_t, kWords> words{};

  static Fraction one_over(std::uint64_t divisor) {  // from 2 up
    Fraction result;
    Wide rest = 1;
    for (std::uint64_t& word : result.words) {
      rest <<= 64;
      word = static_cast<std::uint64_t>(rest / divisor);
      rest %= divisor;
    }
    return result;
  }

  Fraction& operator+=(const Fraction& other) {
    Wide carry = 0;
    for (int i = kWords - 1; i >= 0; --i) {
      carry += Wide{words[i]} + other.words[i];
      words[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return *this;
  }

  Fraction operator-(const Fraction& smaller) const {
    Fraction result;
    std::uint64_t borrow = 0;
    for (int i = kWords - 1; i >= 0; --i) {
      const Wide difference = (Wide{1} << 64) + words[i] - smaller.words[i] - borrow;
      result.words[i] = static_cast<std::uint64_t>(difference);
      borrow = (difference >> 64) == 0 ? 1 : 0;
    }
    return result;
  }

  Fraction operator*(const Fraction& other) const {
    std::array<std::uint64_t, 2 * kWords> product{};
    for (int i = kWords - 1; i >= 0; --i) {
      Wide carry = 0;
      for (int j = kWords - 1; j >= 0; --j) {
        carry += Wide{words[i]} * other.words[j] + product[i + j + 1];
        product[i + j + 1] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
      }
      product[i] = static_cast<std::uint64_t>(carry);
    }
    Fraction result;
    std::copy_n(product.begin(), kWords, result.words.begin());
    return result;
  }
};

// exp(-1/n) = 1 - (1/n - 1/(2! n^2) + 1/(3! n^3) - ..): the bracket, as a sum of positive differences.
Fraction exp_minus_one_over(std::uint64_t n) {
  Fraction bracket, term = Fraction::one_over(n);
  for (std::uint64_t k = 2; term.words != Fraction{}.words; k += 2) {
    const Fraction next = term * Fraction::one_over(k * n);
    bracket += term - next;
    term = next * Fraction::one_over((k + 1) * n);
  }
  Fraction almost_one;
  almost_one.words.fill(~std::uint64_t{0});
  return almost_one - bracket;
}

GaussianPieces::Digits digits_of(const Fraction& fraction) {
  constexpr int kFirst = 53;
  GaussianPieces::Digits digits;
  digits[0] = fraction.words[0] >> (64 - kFirst);
  for (std::size_t i = 1; i < digits.size(); ++i)
    digits[i] = fraction.words[i - 1] << kFirst | fraction.words[i] >> (64 - kFirst);
  return digits;
}

}  // namespace

const GaussianPieces& GaussianPieces::table() {
  static const GaussianPieces pieces;
  return pieces;
}

// The weights exp(-i^2 / 2048) add up to 40.606: draws are uniform below 41, and redrawn beyond the sum.
GaussianPieces::GaussianPieces() {
  const Fraction base = exp_minus_one_over(2048), square = base * base;
  Fraction weight = Fraction::one_over(41), ratio = base, end = weight;  // ratio: weight i+1 over weight i
  for (std::size_t i = 0; i < kPieces; ++i) {
    ends_[i] = digits_of(end);
    first_[i] = ends_[i][0];
    weight = weight * ratio;
    ratio = ratio * square;
    end += weight;
  }
  first_[kPieces] = ~std::uint64_t{0};
  for (std::size_t slot = 0; slot < guide_.size(); ++slot)
    guide_[slot] = static_cast<std::uint16_t>(
        std::lower_bound(first_.begin(), first_.end(), slot << (kFirstBits - kGuideBits)) - first_.begin());
}

// Some end has the same first digits: draws the other digits. Returns the number of ends that are not above
// the value.
std::size_t GaussianPieces::decide(std::uint64_t value, RandomBits& bits) const {
  Digits digits{value};
  for (std::size_t i = 1; i < kWords; ++i) digits[i] = bits.word();
  const auto piece = std::upper_bound(ends_.begin(), ends_.end(), digits);
  if (piece != ends_.begin() && *(piece - 1) == digits) exact::fail_source();
  return static_cast<std::size_t>(piece - ends_.begin());
}

}  // namespace tulle
