#include <tulle/base/error.hpp>
#include <tulle/tensor/documents.hpp>

#include <algorithm>

namespace tulle {

Documents::Documents(Index vocabulary, std::vector<Index> words, std::size_t length)
    : vocabulary_(vocabulary), length_(length), words_(std::move(words)) {
  if (length == 0 || words_.size() % length != 0)
    fail("{} words are no documents of {} words each", words_.size(), length);
  Index last = 0;
  for (Index word : words_) last = std::max(last, word);
  if (!words_.empty() && last >= vocabulary_)
    fail("a document has word {}; words run from 1 to {}", static_cast<std::uint64_t>(last) + 1, vocabulary_);
}

void Documents::append(std::span<const Index> words, const std::string& where) {
  for (Index word : words)
    if (word >= vocabulary_)
      fail("{}: document {} has word {}; words run from 1 to {}", where, size() + 1,
           static_cast<std::uint64_t>(word) + 1, vocabulary_);
  if (length_ > 0) list_ends();
  words_.insert(words_.end(), words.begin(), words.end());
  ends_.push_back(words_.size());
}

void Documents::list_ends() {
  for (std::size_t document = 0, count = size(); document < count; ++document)
    ends_.push_back((document + 1) * length_);
  length_ = 0;
}

Documents Documents::slice(std::size_t first, std::size_t count) const {
  const std::size_t begin = begin_of(first);
  Documents part(vocabulary_);
  part.words_.assign(words_.begin() + static_cast<std::ptrdiff_t>(begin),
                     words_.begin() + static_cast<std::ptrdiff_t>(begin_of(first + count)));
  part.length_ = length_;
  if (length_ > 0) return part;
  part.ends_.resize(count + 1);
  for (std::size_t i = 0; i <= count; ++i) part.ends_[i] = ends_[first + i] - begin;
  return part;
}

}  // namespace tulle
