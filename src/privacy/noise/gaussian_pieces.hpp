// The first step of exact Gaussian noise: |Z| cut into pieces of 1/32.
//
// Piece i is drawn with probability proportional to exp(-(i/32)^2 / 2), the density at its left edge. The
// place in the piece, a fraction x of its width, is uniform and kept with probability exp(-t), t = ((i+x)^2 -
// i^2) / 2048. Since t <= (i+1)/1024, ten bits alone keep 97 of 100 samples.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>

#include <array>
#include <cstdint>

namespace tulle {

class GaussianPieces {
 public:
  static constexpr int kShift = 5;             // a piece is 2^-kShift wide
  static constexpr std::size_t kPieces = 736;  // the last ends at 23 sigma: beyond lies less than 2^-380

  static const GaussianPieces& table();

  static constexpr int kSpareBits = 11;  // of a word, which do not affect the choice of a piece

  // The piece that a uniform word chooses; kPieces: none, draw again. Exact: probabilities are compared digit
  // by digit, on 53 bits first and, if those do not decide, on 437, drawn from `bits`.
  std::size_t choose(std::uint64_t word, RandomBits& bits) const {
    const std::uint64_t value = word >> kSpareBits;
    std::size_t piece = guide_[value >> (kFirstBits - kGuideBits)];
    while (value > first_[piece]) ++piece;
    return value != first_[piece] ? piece : decide(value, bits);
  }

  static constexpr std::size_t kWords = 7;
  // The end of piece i as a fraction of the whole range, in binary digits: 1/41 sum_{j <= i} exp(-j^2 /
  // 2048).
  using Digits = std::array<std::uint64_t, kWords>;  // 53 of them, then 64 in each word
  const Digits& end(std::size_t piece) const { return ends_[piece]; }

 private:
  static constexpr int kFirstBits = 64 - kSpareBits, kGuideBits = 12;

  GaussianPieces();
  std::size_t decide(std::uint64_t value, RandomBits& bits) const;

  std::array<std::uint64_t, kPieces + 1>
      first_;  // the first digits of every end; after the last, none reaches
  std::array<std::uint16_t, 1 << kGuideBits> guide_;  // where to start, by the first bits
  std::array<Digits, kPieces> ends_;
};

}  // namespace tulle
