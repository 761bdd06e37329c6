// What a model of topics says of documents that it was not made of.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/model/topic_posterior.hpp>

#include <optional>
#include <string>

namespace tulle {

// Reads them as the documents of a fit: text where the model knows its vocabulary, else numbers of words, or,
// for a mixture, a table of vectors. Of `options` the format counts.
TopicPosterior topics_of_documents(const ModelFile& file, const std::string& path,
                                   const ReadOptions& options);

// The documents alone. A UsageError for a mixture, which has no words.
Corpus documents_of(const ModelFile& file, const std::string& path, const ReadOptions& options);

// As a table, documents x topics.
Dataset shares_of(const TopicPosterior& posterior);

// The perplexity per word, for the owner of the documents. An Error for a mixture, or where there is no word.
// `unigram`: that of the shares of words in training documents, if these are given.
void add_perplexity(const ModelFile& file, const TopicPosterior& posterior,
                    const std::optional<double>& unigram, Json& report, OwnerFields& owner);
std::string perplexity_text(const ModelFile& file, const TopicPosterior& posterior);

}  // namespace tulle
