// Documents from files. Words are called by their numbers, from 1.
//   .npy, .npz, .mat   a table: one row per document, one column per word; or site x document x word
//   .mtx, .tns         bags of words: document, word, how often
//   .txt, .csv, .tsv   one line per document: the numbers of its words, between blanks or commas; a blank
//   line is a
//                      document without words, since how many documents there are is public
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/documents.hpp>

#pragma GCC visibility push(default)

namespace tulle {

// What becomes of bags that are too large to be held as lists of words: of all of them together more than
// 2^32 words are refused; or of each with more than 2^16 words so many are kept, in proportion to their
// counts. How long documents are may be private.
enum class LongBags { refuse, thin };

// An Error names the first document that is wrong. `options.format`, `options.variable` and
// `options.clamp_to_float32` count.
Corpus read_documents(const std::string& path, Index vocabulary, const ReadOptions& options = {},
                      LongBags long_bags = LongBags::refuse);

// Whether files of this format state how many documents there are: the last bags of a .tns file may be empty.
bool states_documents(const std::string& path, const ReadOptions& options = {});

// ---- Text ----

// A public list of words, one per line, in lower case (A to Z). An Error where it is not such a list.
std::vector<std::string> read_vocabulary(const std::string& path);

// Text in files: a document per line, blank ones included, or a folder with a document per file. Words are
// compared in lower case; those that are not in the vocabulary are left out. How many documents there are is
// public.
Corpus read_text_documents(const std::string& path, const std::vector<std::string>& vocabulary);

}  // namespace tulle

#pragma GCC visibility pop
