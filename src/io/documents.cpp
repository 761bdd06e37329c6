#include "binary/binary.hpp"
#include "binary/collect.hpp"
#include "binary/promise.hpp"
#include "memory.hpp"
#include "source.hpp"
#include "text/chunks.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read_documents.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// True for lists of the words of each document. They are not tensors, so .txt, .csv and .tsv mean lists here.
bool is_list(const std::string& path, const ReadOptions& options) {
  if (options.format) return traits(*options.format).has_columns();
  std::string_view name = path;
  if (ends_in_gz(name)) name.remove_suffix(3);
  return path == kStandard || name.ends_with(".txt") || name.ends_with(".csv") || name.ends_with(".tsv");
}

bool is_word(double number, Index vocabulary) {
  return number >= 1 && number <= vocabulary && number == std::floor(number);
}

[[noreturn]] void no_word(double number, Index vocabulary, const std::string& path, std::size_t document) {
  fail("{}: document {} has word {}; words are whole numbers from 1 to {}", path, document, number,
       vocabulary);
}

// ---- Tables ----

// Converts numbers to words; returns true if all of them are words. Without branches, so that it vectorizes.
bool to_words(std::span<const double> numbers, Index vocabulary, std::span<Index> words) {
  const double last = vocabulary;
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double inside = std::min(std::max(1.0, numbers[i]), last);  // 1 if it is NaN
    const auto word = static_cast<std::int64_t>(inside);
    others |= static_cast<double>(word) != numbers[i] ? 1 : 0;
    words[i] = static_cast<Index>(word - 1);
  }
  return others == 0;
}

// Collects the words of a table as its numbers are read.
class TableWords {
 public:
  TableWords(const std::string& path, const Shape& shape, Index vocabulary)
      : path_(path),
        shape_(shape),
        length_(shape[shape.order() - 1]),
        vocabulary_(vocabulary),
        words_(shape.cells()) {
    if (shape.order() > 3)
      fail("{}: a {} array; documents are rows of words, or site x document x word", path, shape.text());
    if (length_ < 3)  // of all documents, which is public
      fail("{}: a {} array has documents of {} words; topics need 3 words or more", path, shape.text(),
           length_);
    check_memory(path, shape.cells(), sizeof(Index));
  }

  void append(std::span<const double> numbers) {
    const std::size_t before = words_.size();
    if (to_words(numbers, vocabulary_, words_.extend(numbers.size()))) return;
    const auto bad = std::ranges::find_if_not(numbers, [&](double n) { return is_word(n, vocabulary_); });
    no_word(*bad, vocabulary_, path_,
            (before + static_cast<std::size_t>(bad - numbers.begin())) / length_ + 1);
  }

  Corpus take() {
    Corpus corpus{Documents(vocabulary_, words_.take(), length_), length_, {}};
    if (shape_.order() == 3) corpus.sites.assign(shape_[0], shape_[1]);
    return corpus;
  }

 private:
  std::string path_;
  Shape shape_;
  std::size_t length_;
  Index vocabulary_;
  PromisedVector<Index> words_;
};

// Converts an array while it is read, since a tensor of its numbers would take twice the memory. Empty if it
// is not an array, or if the options need a tensor.
std::optional<Corpus> from_array(const std::string& path, const ReadOptions& options, Index vocabulary) {
  if (options.shape || !options.known.empty() || options.nan_is_missing) return {};
  std::optional<TableWords> words;
  std::string name = path;
  const auto begin = [&](const Shape& shape) { words.emplace(name, shape, vocabulary); };
  const auto take = [&](std::span<const double> numbers) { words->append(numbers); };
  if (is_in_memory(path)) {
    const FoundInMemory found = find_in_memory(path);
    const auto* array = std::get_if<ArrayInMemory>(&found.data);
    if (array == nullptr) return {};
    name = found.name;
    begin(shape_in_file(name, array->dimensions));
    for_each_block(array->values, take);
  } else {
    if (format_of(path, options) != Format::npy) return {};
    Source source(path);
    name = source.name();
    read_npy(source, begin, take);
  }
  return words->take();
}

Corpus from_table(const std::string& path, const DenseTensor& table, Index vocabulary) {
  TableWords words(path, table.shape(), vocabulary);
  words.append(table.values());
  return words.take();
}

// ---- Bags of words ----

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 32;  // of all documents together: 16 GiB

constexpr std::size_t kLongBag = std::size_t{1} << 16;

void check_bags(const std::string& path, const SparseTensor& bags, Index vocabulary, LongBags long_bags) {
  if (bags.order() != 2) fail("{}: {} modes; bags of words are document x word", path, bags.order());
  double words = 0;
  for (std::size_t entry = 0; entry < bags.size(); ++entry) {
    const float times = bags.values()[entry];
    const std::uint64_t document = std::uint64_t{bags.column(0)[entry]} + 1;
    if (times < 0 || times != std::floor(times))
      fail("{}: document {} has word {} {} times; counts are whole numbers", path, document,
           bags.column(1)[entry] + 1, times);
    if (const double word = bags.column(1)[entry] + 1.0; !is_word(word, vocabulary))
      no_word(word, vocabulary, path, document);
    words += times;
  }
  if (long_bags == LongBags::refuse && words > static_cast<double>(kMostWords))
    fail("{}: {:.3g} words in all, more than the {} that can be held", path, words, kMostWords);
}

// Lists the words of one bag: all of them, or kLongBag at equal distances.
void list_words(const SparseTensor& bags, std::span<const std::size_t> entries, LongBags long_bags,
                std::vector<Index>& words) {
  double total = 0;
  for (std::size_t entry : entries) total += bags.values()[entry];
  const bool thin = long_bags == LongBags::thin && total > static_cast<double>(kLongBag);
  const double distance = thin ? total / static_cast<double>(kLongBag) : 1;
  double behind = 0;
  for (std::size_t entry : entries) {
    behind += bags.values()[entry];
    while ((static_cast<double>(words.size()) + 0.5) * distance < behind)
      words.push_back(bags.column(1)[entry]);
  }
}

Corpus from_bags(const std::string& path, const SparseTensor& bags, Index vocabulary, LongBags long_bags) {
  check_bags(path, bags, vocabulary, long_bags);
  std::vector<std::size_t> order(bags.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t entry) { return bags.column(0)[entry]; });
  Corpus corpus{Documents(vocabulary), {}, {}};
  std::vector<Index> words;
  auto next = order.begin();
  for (Index document = 0; document < bags.shape()[0]; ++document) {
    words.clear();
    const auto first = next;
    while (next != order.end() && bags.column(0)[*next] == document) ++next;
    list_words(bags, {first, next}, long_bags, words);
    corpus.documents.append(words, path);
  }
  return corpus;
}

// ---- Lists ----

bool separates(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

struct DocumentBlock : ParsedBlock {
  std::vector<Index> words;
  std::vector<std::size_t> lengths;
};

DocumentBlock parse_documents(std::string_view text, Index vocabulary) {
  DocumentBlock block;
  block.lines = count_lines(text);
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t line = 0; line < block.lines; ++line, ++at) {
    const std::size_t before = block.words.size();
    while (true) {
      while (separates(*at)) ++at;
      if (*at == '\n') break;
      std::uint64_t word = 0;
      const auto [stop, error] = std::from_chars(at, end, word);
      if (error != std::errc() || !(separates(*stop) || *stop == '\n') || word < 1 || word > vocabulary) {
        const char* const rest = std::find_if(at, end, [](char c) { return separates(c) || c == '\n'; });
        block.error = LineError{line, message("'{}' is no word; words are whole numbers from 1 to {}; for "
                                              "text, give a vocabulary[ (@vocabulary FILE)]",
                                              shortened({at, rest}), vocabulary)};
        return block;
      }
      block.words.push_back(static_cast<Index>(word - 1));
      at = stop;
    }
    block.lengths.push_back(block.words.size() - before);  // a blank line is a document without words
  }
  return block;
}

Corpus from_lists(const std::string& path, Index vocabulary) {
  Source source(path);
  LineChunks chunks(source);
  Corpus corpus{Documents(vocabulary), {}, {}};
  for_each_chunk(
      chunks, [&](std::string_view text) { return parse_documents(text, vocabulary); },
      [&](DocumentBlock&& block, std::size_t) {
        std::size_t at = 0;
        for (std::size_t length : block.lengths) {
          corpus.documents.append(std::span(block.words).subspan(at, length), path);
          at += length;
        }
      });
  return corpus;
}

}  // namespace

bool states_documents(const std::string& path, const ReadOptions& options) {
  return is_list(path, options) || traits(format_of(path, options)).states_shape;
}

Corpus read_documents(const std::string& path, Index vocabulary, const ReadOptions& options,
                      LongBags long_bags) {
  if (vocabulary < 1) fail_usage("a vocabulary of 0 words; give the number of words");
  Corpus corpus = [&] {
    if (is_list(path, options)) return from_lists(path, vocabulary);
    if (auto array = from_array(path, options, vocabulary)) return *std::move(array);
    ReadOptions reading = options;
    reading.unlisted = Unlisted::zero;
    reading.may_be_empty = true;  // whether any document has a word is private
    const Dataset data = read(path, reading);
    if (const auto* table = std::get_if<DenseTensor>(&data.tensor))
      return from_table(path, *table, vocabulary);
    return from_bags(path, std::get<SparseTensor>(data.tensor), vocabulary, long_bags);
  }();
  if (corpus.documents.size() == 0) fail("{}: there are no documents", path);
  corpus.states_documents = is_in_memory(path) || states_documents(path, options);
  return corpus;
}

}  // namespace tulle
