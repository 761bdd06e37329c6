// Sums over documents of what the moments of words are made of.
//
// A document gives every multiset of three of its words (of two, of one) the share that it has among all of
// them: in counts, numbers that are not negative and add up to 1. Replacing the document then moves the sum
// by at most 2 in L1, and, since two such vectors have no negative product, by at most sqrt(2) in L2. The
// order of words plays no part. Shares are whole numbers of a public fine unit, rounded down, so that sums
// are exact. A document of fewer words than a moment takes adds nothing to it, which is a shorter vector
// still.
#pragma once

#include <tulle/solve/topics/power.hpp>
#include <tulle/tensor/documents.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

inline constexpr double kReplacedCountsL1 = 2;
inline constexpr double kReplacedCountsL2 = 1.4142135623730952;  // sqrt(2), rounded up

// Of a longer document so many words count, drawn at random: the number of triples grows with the third power
// of the length.
inline constexpr std::size_t kMostWordsOfADocument = 60;

// By cell (tensor/symmetric.hpp). `documents` is the public number of all of them, also of other sites.
std::vector<double> word_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed);
std::vector<double> pair_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed);
std::vector<double> triple_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed);

// Documents of these of their words alone, which are numbered in this order. One document is made of one:
// what is released of them is as far apart as the same of whole documents may be.
Documents of_words(const Documents& documents, const std::vector<Index>& words);

// Sum over the documents of the mean of sym(v_a x v_b x v_c) over its triples of words, where v_a is row a of
// `rows`: not symmetrised yet.
Cube projected_triples(const Documents& documents, const Matrix& rows, std::uint64_t seed);

// As imtiaz2017 has them: t1 t2^T and t1 x t2 x t3 of the first words in their order, added up. Not
// symmetric.
Matrix ordered_pairs(const Documents& documents);
Cube ordered_triples(const Documents& documents);

}  // namespace tulle
