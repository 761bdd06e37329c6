// Documents from files. Words are called by their numbers, from 1.
//   .npy, .npz, .mat   a table: a row a document, a column a word; or site x document x word
//   .mtx, .tns         bags of words: document, word, how often
//   .txt, .csv, .tsv   one line per document: the numbers of its words, between blanks or commas; a blank
//   line is a
//                      document without words, since how many documents there are is public
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/documents.hpp>

namespace tulle {

// An Error names the first document that is wrong. `options.format` and `options.variable` count.
Corpus read_documents(const std::string& path, Index vocabulary, const ReadOptions& options = {});

}  // namespace tulle
