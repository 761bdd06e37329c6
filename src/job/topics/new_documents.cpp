#include "table.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/job/topics/new_documents.hpp>

namespace tulle {
namespace {

void check_words(const ModelFile& file, const TopicPosterior& posterior) {
  if (std::get<Topics>(file.model).mixture())
    fail_usage("a mixture has no words to guess; evaluate a model of documents");
  if (posterior.words == 0) fail("there are no words to guess");
}

}  // namespace

TopicPosterior topics_of_documents(const ModelFile& file, const std::string& path,
                                   const ReadOptions& options) {
  const auto& model = std::get<Topics>(file.model);
  if (model.mixture()) return topic_posterior(model, rows_of(read_table(path, options)));
  const std::vector<std::string>& vocabulary = file.modes.at(0).labels;
  const Corpus corpus = vocabulary.empty()
                            ? read_documents(path, static_cast<Index>(model.topics.rows()), options)
                            : read_text_documents(path, vocabulary);
  return topic_posterior(model, corpus.documents);
}

Dataset shares_of(const TopicPosterior& posterior) {
  const Matrix& shares = posterior.shares;
  const Shape shape{static_cast<std::uint64_t>(shares.rows()), static_cast<std::uint64_t>(shares.cols())};
  return {{{"document", {}}, {"topic", {}}},
          DenseTensor(shape, {shares.data(), shares.data() + shares.size()})};
}

void add_perplexity(const ModelFile& file, const TopicPosterior& posterior, Json& report,
                    OwnerFields& owner) {
  check_words(file, posterior);
  owner.add(report, "test_documents", posterior.shares.rows());
  owner.add(report, "test_words", posterior.words);
  owner.add(report, "test_perplexity", finite_or_null(posterior.perplexity()));
}

std::string perplexity_text(const ModelFile& file, const TopicPosterior& posterior) {
  check_words(file, posterior);
  return fmt::format(
      "perplexity {:.5g} per word, where equally likely words have {} ({} words of {} documents)",
      posterior.perplexity(), std::get<Topics>(file.model).topics.rows(), posterior.words,
      posterior.shares.rows());
}

}  // namespace tulle
