// Documents from files. Words are identified by their numbers, from 1.
//   .npy, .npz, .mat   a table of words: one row per document, all of one length; or site x document x word
//   .mtx, .tns         bags of words: document, word, count
//   .txt, .csv, .tsv   one line per document: the numbers of its words, separated by blanks or commas;
//                      blank lines are documents without words, since the number of documents is public
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/documents.hpp>

#pragma GCC visibility push(default)

namespace tulle {

// The treatment of bags that are too large to be held as lists of words. refuse: more than 2^32 words in all
// are an error. thin: of each bag with more than 2^16 words, 2^16 are kept, in proportion to their counts,
// since the lengths of documents may be private.
enum class LongBags { refuse, thin };

// An Error names the first invalid document. For tables and bags all options apply except `unlisted`, which
// is zero; for lists `format` alone.
Corpus read_documents(const std::string& path, Index vocabulary, const ReadOptions& options = {},
                      LongBags long_bags = LongBags::refuse);

// True if files of this format state the number of documents: the last bags of a .tns file may be empty.
bool states_documents(const std::string& path, const ReadOptions& options = {});

// ---- Text ----

// A public list of words, one per line, with A to Z in lower case. Throws an Error if the file is not such a
// list.
std::vector<std::string> read_vocabulary(const std::string& path);

// Text in files: a document per line, blank ones included, or a folder with a document per file. Words are
// compared in lower case; words outside the vocabulary are omitted. The number of documents is
// public.
Corpus read_text_documents(const std::string& path, const std::vector<std::string>& vocabulary);

}  // namespace tulle

#pragma GCC visibility pop
