// Sums over documents from which the moments of words are computed.
//
// A document adds to the count of every multiset of three of its words (or two, or one) the share of that
// multiset among all of its own: nonnegative numbers that add up to 1. Replacing the document changes the sum
// by at most 2 in L1 and, since the product of two such vectors is not negative, by at most sqrt(2) in L2.
// The order of words does not matter. Shares are rounded down to multiples of a fine public unit, so that
// sums are exact. A document with fewer words than a multiset adds zero.
#pragma once

#include <tulle/solve/topics/power.hpp>
#include <tulle/tensor/documents.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

inline constexpr double kReplacedCountsL1 = 2;
inline constexpr double kReplacedCountsL2 = 1.4142135623730952;  // sqrt(2), rounded up

// A longer document counts with this many of its words, drawn at random: the number of triples grows with the
// third power of the length.
inline constexpr std::size_t kMostWordsOfADocument = 60;

// By cell (tensor/symmetric.hpp). `all` is the public number of documents, those of other sites included.
std::vector<double> word_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed);
std::vector<double> pair_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed);
std::vector<double> triple_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed);

// The documents without any other words; the kept words get numbers in this order. Each document becomes one
// document, so sensitivities are those of whole documents.
Documents of_words(const Documents& documents, const std::vector<Index>& words);

// Sum over the documents of the mean of sym(v_a x v_b x v_c) over its triples of words, where v_a is row a of
// `rows`: not symmetrised yet.
Cube projected_triples(const Documents& documents, const Matrix& rows, std::uint64_t seed);

// The moments of imtiaz2017: sums of t1 t2^T and of t1 x t2 x t3 over the first words of each document, in
// their order. They are not symmetric.
Matrix ordered_pairs(const Documents& documents);
Cube ordered_triples(const Documents& documents);

}  // namespace tulle
