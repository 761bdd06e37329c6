#include <tulle/base/error.hpp>
#include <tulle/tensor/documents.hpp>

namespace tulle {

void Documents::append(std::span<const Index> words, const std::string& where) {
  for (Index word : words)
    if (word >= vocabulary_)
      fail("{}: document {} has word {}; words run from 1 to {}", where, size() + 1,
           static_cast<std::uint64_t>(word) + 1, vocabulary_);
  words_.insert(words_.end(), words.begin(), words.end());
  ends_.push_back(words_.size());
}

void Documents::reserve(std::size_t documents, std::size_t words) {
  ends_.reserve(documents + 1);
  words_.reserve(words);
}

Documents Documents::slice(std::size_t first, std::size_t count) const {
  Documents part(vocabulary_);
  part.words_.assign(words_.begin() + static_cast<std::ptrdiff_t>(ends_[first]),
                     words_.begin() + static_cast<std::ptrdiff_t>(ends_[first + count]));
  part.ends_.resize(count + 1);
  for (std::size_t i = 0; i <= count; ++i) part.ends_[i] = ends_[first + i] - ends_[first];
  return part;
}

}  // namespace tulle
