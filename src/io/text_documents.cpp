#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/printable.hpp>
#include <tulle/io/data_files.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/read_documents.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

namespace tulle {
namespace {

namespace fs = std::filesystem;
using Numbers = std::unordered_map<std::string, Index>;  // numbers of words

// True for letters, digits and all bytes beyond ASCII, which encode other letters.
bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

// Calls take(word) for the words of a text. An apostrophe between letters belongs to the word.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    if (!in_word(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() &&
           (in_word(text[end]) || (text[end] == '\'' && end + 1 < text.size() && in_word(text[end + 1]))))
      ++end;
    take(lower(text.substr(at, end - at)));
    at = end;
  }
}

constexpr std::size_t kExamples = 2;

// Words outside the vocabulary are counted and omitted: an error about a word would reveal something of the
// document.
class UnknownWords {
 public:
  explicit UnknownWords(Corpus& corpus) : corpus_(corpus) {}

  void add(const std::string& word, const std::string& file, std::size_t line) {
    ++corpus_.unknown_words;
    if (corpus_.unknown_examples.size() == kExamples || !shown_.insert(word).second) return;
    constexpr std::size_t kShown = 40;
    corpus_.unknown_examples.push_back(fmt::format("'{}' ({}:{})", printable(word, kShown),
                                                   file == kStandard ? "standard input" : file, line));
  }

 private:
  Corpus& corpus_;
  std::set<std::string> shown_;
};

Numbers numbers_of(const std::vector<std::string>& vocabulary) {
  Numbers numbers;
  for (const std::string& word : vocabulary) numbers.emplace(word, static_cast<Index>(numbers.size()));
  return numbers;
}

}  // namespace

std::vector<std::string> read_vocabulary(const std::string& path) {
  std::vector<std::string> words;
  Numbers seen;
  for (const std::string& line : read_list({path, ""}, "word")) {
    const std::string word = lower(line);
    const bool whole = std::ranges::all_of(word, [](char c) { return in_word(c) || c == '\''; });
    if (!whole || !in_word(word.front()) || !in_word(word.back()))
      fail("{}: '{}' is not a word of letters and digits; give one word per line", path, line);
    if (!seen.emplace(word, words.size()).second)
      fail("{}: '{}' is listed twice; upper and lower case are the same", path, word);
    words.push_back(word);
  }
  if (words.empty()) fail("{}: there are no words; give one per line", path);
  return words;
}

Corpus read_text_documents(const std::string& path, const std::vector<std::string>& vocabulary) {
  const Numbers numbers = numbers_of(vocabulary);
  Corpus corpus{Documents(static_cast<Index>(vocabulary.size())), {}, {}};
  UnknownWords unknown(corpus);
  std::vector<Index> words;
  const auto finish = [&] {
    corpus.documents.append(words, path);
    words.clear();
  };
  const auto read = [&](const std::string& file, const auto& after_line) {
    std::size_t number = 0;
    const auto take = [&](std::string_view line) {
      ++number;
      for_each_word(line, [&](const std::string& word) {
        if (const auto found = numbers.find(word); found != numbers.end())
          words.push_back(found->second);
        else
          unknown.add(word, file, number);
      });
      after_line();
    };
    for_each_line(file, take, Source::Gzipped::by_name);
  };
  if (fs::is_directory(path)) {
    for (const std::string& file : documents_in(path)) {
      read(file, [] {});
      finish();
    }
  } else {
    read(path, finish);
  }
  if (corpus.documents.size() == 0) fail("{}: there are no documents", path);
  return corpus;
}

}  // namespace tulle
