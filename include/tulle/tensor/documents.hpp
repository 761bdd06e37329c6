// Documents as lists of words, all in one block of memory. A word is its 0-based number in the vocabulary.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class Documents {
 public:
  explicit Documents(Index vocabulary) : vocabulary_(vocabulary) {}
  // All of this length, one after another.
  Documents(Index vocabulary, std::vector<Index> words, std::size_t length);

  Index vocabulary() const { return vocabulary_; }
  std::size_t size() const { return length_ > 0 ? words_.size() / length_ : ends_.size() - 1; }
  std::span<const Index> operator[](std::size_t document) const {
    return {words_.data() + begin_of(document), begin_of(document + 1) - begin_of(document)};
  }

  // Of any length. An Error, which counts from 1 and begins with `where`, when a word is not in the
  // vocabulary.
  void append(std::span<const Index> words, const std::string& where);

  // The documents first .. first + count - 1.
  Documents slice(std::size_t first, std::size_t count) const;

 private:
  std::size_t begin_of(std::size_t document) const {
    return length_ > 0 ? document * length_ : ends_[document];
  }

  void list_ends();

  Index vocabulary_;
  std::size_t length_ = 0;  // of all documents; 0 where `ends_` says it of each
  std::vector<std::size_t> ends_ = {0};
  std::vector<Index> words_;
};

// What was read, and what is public about it besides the numbers of documents and words.
struct Corpus {
  Documents documents;
  std::optional<std::uint64_t> length;  // of every document, where the file's shape says it (a table)
  std::vector<std::size_t> sites;       // how many documents each site has, where the file says it
  std::size_t unknown_words = 0;        // of text, which are not in the vocabulary and were left out
  // Whether how many documents there are is stated, rather than found by the last one that has a word.
  bool states_documents = true;
};

}  // namespace tulle

#pragma GCC visibility pop
