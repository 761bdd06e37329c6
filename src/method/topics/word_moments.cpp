#include "word_moments.hpp"

#include "cube_sum.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace tulle {
namespace {

// A word of a document and how often it is there.
struct Occurrence {
  Index word;
  std::uint64_t times;
};

// The words of one document after the other, in the order of their numbers.
class SortedDocument {
 public:
  explicit SortedDocument(std::uint64_t seed) : seed_(seed) {}

  // Which words are drawn from a long document depends only on the document, its place and the seed.
  void read(std::span<const Index> document, std::size_t place) {
    words_.assign(document.begin(), document.end());
    std::ranges::sort(words_);
    if (words_.size() > kMostWordsOfADocument) {
      Random random(seed_, place);
      random.shuffle(std::span(words_));
      words_.resize(kMostWordsOfADocument);
      std::ranges::sort(words_);
    }
    occurrences_.clear();
    for (Index word : words_)
      if (!occurrences_.empty() && occurrences_.back().word == word)
        ++occurrences_.back().times;
      else
        occurrences_.push_back({word, 1});
  }

  const std::vector<Index>& words() const { return words_; }
  const std::vector<Occurrence>& occurrences() const { return occurrences_; }

 private:
  std::uint64_t seed_;
  std::vector<Index> words_;
  std::vector<Occurrence> occurrences_;
};

// Shares as multiples of 2^-bits. The number of bits keeps the sum over all documents exact in a double, and
// a shifted part within 64 bits.
class WordCounts {
 public:
  WordCounts(std::size_t cells, std::uint64_t documents)
      : bits_(std::min(47, 52 - static_cast<int>(std::bit_width(documents)))), sums_(cells) {}

  // 60 words have 34,220 triples, so `part` and `whole` stay below 2^16.
  void add(std::size_t cell, std::uint64_t part, std::uint64_t whole) {
    sums_[cell] += (part << bits_) / whole;
  }
  void add(const WordCounts& other) {
    for (std::size_t cell = 0; cell < sums_.size(); ++cell) sums_[cell] += other.sums_[cell];
  }

  std::vector<double> take() const {
    std::vector<double> result(sums_.size());
    std::ranges::transform(sums_, result.begin(),
                           [&](std::uint64_t sum) { return std::ldexp(static_cast<double>(sum), -bits_); });
    return result;
  }

 private:
  int bits_;
  std::vector<std::uint64_t> sums_;
};

void add_words(const SortedDocument& document, WordCounts& counts) {
  for (const auto& [word, times] : document.occurrences()) counts.add(word, times, document.words().size());
}

void add_pairs(const SortedDocument& document, WordCounts& counts) {
  if (document.words().size() < 2) return;
  const auto& all = document.occurrences();
  const std::uint64_t length = document.words().size(), pairs = length * (length - 1) / 2;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const auto [b, times] = all[j];
    if (times > 1) counts.add(pair_cell(b, b), times * (times - 1) / 2, pairs);
    for (std::size_t i = 0; i < j; ++i) counts.add(pair_cell(all[i].word, b), all[i].times * times, pairs);
  }
}

void add_triples(const SortedDocument& document, WordCounts& counts) {
  if (document.words().size() < 3) return;
  const auto& all = document.occurrences();
  const std::uint64_t length = document.words().size(), triples = length * (length - 1) * (length - 2) / 6;
  const auto pairs_of = [](std::uint64_t times) { return times * (times - 1) / 2; };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto [c, times_c] = all[k];
    if (times_c > 2) counts.add(triple_cell(c, c, c), pairs_of(times_c) * (times_c - 2) / 3, triples);
    for (std::size_t j = 0; j < k; ++j) {
      const auto [b, times_b] = all[j];
      if (times_c > 1) counts.add(triple_cell(b, c, c), times_b * pairs_of(times_c), triples);
      if (times_b > 1) counts.add(triple_cell(b, b, c), pairs_of(times_b) * times_c, triples);
      for (std::size_t i = 0; i < j; ++i)
        counts.add(triple_cell(all[i].word, b, c), all[i].times * times_b * times_c, triples);
    }
  }
}

// Every thread has its own counts, which pays if there are more documents than counts. They are whole
// numbers, so their sums do not depend on which thread adds which documents.
template <class Add>
std::vector<double> count(const Documents& documents, std::size_t cells, std::uint64_t all,
                          std::uint64_t seed, Add&& add) {
  WordCounts counts(cells, all);
#pragma omp parallel if (documents.size() > std::max(cells, kChunkItems))
  {
    WordCounts own(cells, all);
    SortedDocument document(seed);
#pragma omp for schedule(static) nowait
    for (std::size_t place = 0; place < documents.size(); ++place) {
      document.read(documents[place], place);
      add(document, own);
    }
#pragma omp critical
    counts.add(own);
  }
  return counts.take();
}

// Rank-one terms, added up when a panel is full.
class CubePanel {
 public:
  explicit CubePanel(Cube& tensor)
      : tensor_(tensor),
        a_(kCubePanel, tensor.rows()),
        b_(kCubePanel, tensor.rows()),
        c_(kCubePanel, tensor.rows()) {}

  template <class A, class B, class C>
  void add(const A& a, const B& b, const C& c) {
    a_.row(used_) = a;
    b_.row(used_) = b;
    c_.row(used_) = c;
    if (++used_ == kCubePanel) flush();
  }

  void flush() {
    add_cubes(a_.topRows(used_), b_.topRows(used_), c_.topRows(used_), tensor_);
    used_ = 0;
  }

 private:
  Cube& tensor_;
  Matrix a_, b_, c_;
  Eigen::Index used_ = 0;
};

// Over all triples of different places of a document with s = sum of v_i:
// sum v_i x v_j x v_k = sym(s x s x s + sum_i v_i x v_i x (2 v_i - 3 s)).
void add_projected(const std::vector<Index>& words, const Matrix& rows, CubePanel& panel) {
  if (words.size() < 3) return;
  if (words.size() == 3) return panel.add(rows.row(words[0]), rows.row(words[1]), rows.row(words[2]));
  const auto length = static_cast<double>(words.size());
  const double share = 1 / (length * (length - 1) * (length - 2));
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(rows.cols());
  for (Index word : words) sum += rows.row(word);
  panel.add(share * sum, sum, sum);
  for (Index word : words) panel.add(share * rows.row(word), rows.row(word), 2 * rows.row(word) - 3 * sum);
}

}  // namespace

std::vector<double> word_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed) {
  return count(documents, documents.vocabulary(), all, seed, add_words);
}

std::vector<double> pair_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed) {
  return count(documents, pair_cells(documents.vocabulary()), all, seed, add_pairs);
}

std::vector<double> triple_counts(const Documents& documents, std::uint64_t all, std::uint64_t seed) {
  return count(documents, triple_cells(documents.vocabulary()), all, seed, add_triples);
}

Documents of_words(const Documents& documents, const std::vector<Index>& words) {
  const auto left_out = static_cast<Index>(words.size());
  std::vector<Index> places(documents.vocabulary(), left_out), kept;
  for (std::size_t place = 0; place < words.size(); ++place) places[words[place]] = static_cast<Index>(place);
  Documents result(left_out);
  for (std::size_t document = 0; document < documents.size(); ++document) {
    kept.clear();
    for (Index word : documents[document])
      if (places[word] != left_out) kept.push_back(places[word]);
    result.append(kept, "");
  }
  return result;
}

Cube projected_triples(const Documents& documents, const Matrix& rows, std::uint64_t seed) {
  Cube tensor = Cube::Zero(rows.cols(), rows.cols() * rows.cols());
  CubePanel panel(tensor);
  SortedDocument document(seed);
  for (std::size_t place = 0; place < documents.size(); ++place) {
    document.read(documents[place], place);
    add_projected(document.words(), rows, panel);
  }
  panel.flush();
  return tensor;
}

Matrix ordered_pairs(const Documents& documents) {
  Matrix sums = Matrix::Zero(documents.vocabulary(), documents.vocabulary());
  for (std::size_t place = 0; place < documents.size(); ++place) {
    const auto words = documents[place];
    if (words.size() >= 2) sums(words[0], words[1]) += 1;
  }
  return sums;
}

Cube ordered_triples(const Documents& documents) {
  const auto size = static_cast<Eigen::Index>(documents.vocabulary());
  Cube sums = Cube::Zero(size, size * size);
  for (std::size_t place = 0; place < documents.size(); ++place) {
    const auto words = documents[place];
    if (words.size() >= 3) sums(words[0], words[1] * size + words[2]) += 1;
  }
  return sums;
}

}  // namespace tulle
