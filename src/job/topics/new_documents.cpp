#include "table.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/job/topics/new_documents.hpp>

namespace tulle {
namespace {

void refuse_mixture(const ModelFile& file) {
  if (std::get<Topics>(file.model).mixture())
    fail_usage("a mixture has no words to guess; evaluate a model of documents");
}

void check_words(const ModelFile& file, const TopicPosterior& posterior) {
  refuse_mixture(file);
  if (posterior.words == 0) fail("there are no words to guess");
}

}  // namespace

TopicPosterior topics_of_documents(const ModelFile& file, const std::string& path,
                                   const ReadOptions& options) {
  const auto& model = std::get<Topics>(file.model);
  if (model.mixture()) return topic_posterior(model, rows_of(read_table(path, options)));
  return topic_posterior(model, documents_of(file, path, options).documents);
}

Corpus documents_of(const ModelFile& file, const std::string& path, const ReadOptions& options) {
  refuse_mixture(file);
  const std::vector<std::string>& vocabulary = file.modes.at(0).labels;
  const auto words = static_cast<Index>(std::get<Topics>(file.model).topics.rows());
  return vocabulary.empty() ? read_documents(path, words, options) : read_text_documents(path, vocabulary);
}

Dataset shares_of(const TopicPosterior& posterior) {
  const Matrix& shares = posterior.shares;
  const Shape shape{static_cast<std::uint64_t>(shares.rows()), static_cast<std::uint64_t>(shares.cols())};
  return {{{"document", {}}, {"topic", {}}},
          DenseTensor(shape, {shares.data(), shares.data() + shares.size()})};
}

void add_perplexity(const ModelFile& file, const TopicPosterior& posterior,
                    const std::optional<double>& unigram, Json& report, OwnerFields& owner) {
  check_words(file, posterior);
  owner.add(report, "test_documents", posterior.shares.rows());
  owner.add(report, "test_words", posterior.words);
  owner.add(report, "test_perplexity", finite_or_null(posterior.perplexity()));
  if (unigram) owner.add(report, "baseline_perplexity", finite_or_null(*unigram));
}

std::string perplexity_text(const ModelFile& file, const TopicPosterior& posterior) {
  check_words(file, posterior);
  return fmt::format(
      "perplexity {:.5g} per word, where equally likely words have {} ({} words of {} documents)",
      posterior.perplexity(), std::get<Topics>(file.model).topics.rows(), posterior.words,
      posterior.shares.rows());
}

}  // namespace tulle
