// Random documents for properties, and their moments by definition.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/tensor/documents.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tulle::testing {

inline constexpr Index kWords = 4;

inline Documents any_documents(std::size_t count, std::size_t shortest = 0) {
  Documents documents(kWords);
  for (std::size_t i = 0; i < count; ++i) {
    const auto length = *rc::gen::inRange<std::size_t>(shortest, 8);
    documents.append(*rc::gen::container<std::vector<Index>>(length, rc::gen::inRange<Index>(0, kWords)), "");
  }
  return documents;
}

// By definition: every choice of three places is as likely.
inline std::vector<double> naive_triples(const Documents& documents) {
  std::vector<double> counts(triple_cells(documents.vocabulary()));
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const auto words = documents[d];
    const double triples = static_cast<double>(words.size() * (words.size() - 1) * (words.size() - 2)) / 6;
    for (std::size_t i = 0; i < words.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t k = 0; k < j; ++k) {
          std::array<Index, 3> sorted = {words[i], words[j], words[k]};
          std::ranges::sort(sorted);
          counts[triple_cell(sorted[0], sorted[1], sorted[2])] += 1 / triples;
        }
  }
  return counts;
}

inline Matrix any_rows(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, columns);
  for (double& value : matrix.reshaped()) value = random.normal() / 3;
  return matrix;
}

}  // namespace tulle::testing
