#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/topics/new_documents.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::HasSubstr;

// The first topic uses the words 1 and 2, the second 3 and 4.
ModelFile two_topics(std::vector<std::string> vocabulary) {
  Matrix topics(4, 2);
  topics << 0.5, 0, 0.5, 0, 0, 0.5, 0, 0.5;
  return {.model = Topics{topics, Vector::Constant(2, 0.5)},
          .modes = {{"word", std::move(vocabulary)}, {"topic", {}}}};
}

TEST(NewDocuments, AreReadAsNumbersOfWordsOrAsText) {
  const TemporaryFolder folder;
  const TopicPosterior numbers =
      topics_of_documents(two_topics({}), folder.write("numbers.txt", "1 2 1\n4\n"), {});
  const TopicPosterior text = topics_of_documents(two_topics({"sun", "rain", "vote", "law"}),
                                                  folder.write("text.txt", "Sun, rain sun\nother LAW\n"), {});
  for (const TopicPosterior& posterior : {numbers, text}) {
    EXPECT_NEAR(posterior.shares(0, 0), 1, 1e-9);
    EXPECT_NEAR(posterior.shares(1, 1), 1, 1e-9);
    EXPECT_EQ(posterior.words, 4u);
  }
}

TEST(NewDocuments, OfAMixtureAreVectors) {
  const TemporaryFolder folder;
  write(folder / "rows.npy", {{{"row", {}}, {"coordinate", {}}}, DenseTensor({1, 1}, {0.0})});
  const ModelFile mixture{.model = Topics{(Matrix(1, 2) << 0, 1).finished(), Vector::Constant(2, 0.5), 0.01},
                          .modes = {{"coordinate", {}}, {"topic", {}}}};
  const TopicPosterior posterior = topics_of_documents(mixture, folder / "rows.npy", {});
  EXPECT_NEAR(posterior.shares(0, 0), 1, 1e-9);
}

TEST(NewDocuments, TheirPerplexityIsTheOwners) {
  const TemporaryFolder folder;
  const ModelFile file = two_topics({});
  const TopicPosterior posterior = topics_of_documents(file, folder.write("numbers.txt", "1 2 1\n4\n"), {});
  Json report;
  OwnerFields owner;
  add_perplexity(file, posterior, 3.5, report, owner);
  owner.mark(report);
  EXPECT_EQ(report["test_documents"], 2);
  EXPECT_EQ(report["test_words"], 4);
  // Each document has a topic of two, and each of its words is one of two: the sixth power of 1 / 2.
  EXPECT_NEAR(report["test_perplexity"].get<double>(), std::pow(2, 6 / 4.0), 1e-9);
  EXPECT_EQ(report["baseline_perplexity"], 3.5);
  EXPECT_EQ(report["owner_only"]["fields"].size(), 4u);
  EXPECT_THAT(perplexity_text(file, posterior), HasSubstr("equally likely words have 4"));
}

TEST(NewDocuments, WithoutWordsHaveNoPerplexity) {
  const TemporaryFolder folder;
  const ModelFile file = two_topics({});
  const TopicPosterior posterior = topics_of_documents(file, folder.write("numbers.txt", "\n\n"), {});
  EXPECT_EQ(posterior.shares, Matrix::Constant(2, 2, 0.5));
  EXPECT_THROW(perplexity_text(file, posterior), Error);
}

}  // namespace
}  // namespace tulle
