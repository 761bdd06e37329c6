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
  // Documents of equal length, one after another.
  Documents(Index vocabulary, std::vector<Index> words, std::size_t length);

  Index vocabulary() const { return vocabulary_; }
  std::size_t size() const { return length_ > 0 ? words_.size() / length_ : ends_.size() - 1; }
  std::span<const Index> operator[](std::size_t document) const {
    return {words_.data() + begin_of(document), begin_of(document + 1) - begin_of(document)};
  }

  // Appends a document of any length. An Error, which counts from 1 and begins with `where`, if a word is not
  // in the vocabulary.
  void append(std::span<const Index> words, const std::string& where);

  // The documents first .. first + count - 1.
  Documents slice(std::size_t first, std::size_t count) const;

 private:
  std::size_t begin_of(std::size_t document) const {
    return length_ > 0 ? document * length_ : ends_[document];
  }

  void list_ends();

  Index vocabulary_;
  std::size_t length_ = 0;  // of all documents; 0 if `ends_` lists their ends
  std::vector<std::size_t> ends_ = {0};
  std::vector<Index> words_;
};

// The documents read, and their public facts besides the numbers of documents and words.
struct Corpus {
  Documents documents;
  std::optional<std::uint64_t> length;  // of every document, if the file's shape fixes it (a table)
  std::vector<std::size_t> sites;       // number of documents of each site, if the file states it
  std::size_t unknown_words = 0;        // words of a text that are not in the vocabulary and were skipped
  std::vector<std::string> unknown_examples = {};  // two such words, with where they are; private
  // Whether the number of documents is stated, or is that of the last document with a word.
  bool states_documents = true;
};

}  // namespace tulle

#pragma GCC visibility pop
