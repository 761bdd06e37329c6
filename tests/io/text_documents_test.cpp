#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read_documents.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::vector<std::vector<Index>> words_of(const Corpus& corpus) {
  std::vector<std::vector<Index>> all;
  for (std::size_t i = 0; i < corpus.documents.size(); ++i)
    all.emplace_back(corpus.documents[i].begin(), corpus.documents[i].end());
  return all;
}

TEST(TextDocuments, WordsAreLookedUpInTheVocabularyAndOthersLeftOut) {
  const TemporaryFolder folder;
  folder.write("docs.txt", "The cat, the DOG; 7 cats.\n\ndon't\n");
  const Corpus corpus = read_text_documents(folder / "docs.txt", {"cat", "dog", "don't", "7"});
  EXPECT_EQ(words_of(corpus), (std::vector<std::vector<Index>>{{0, 1, 3}, {}, {2}}));
  EXPECT_EQ(corpus.unknown_words, 3u);  // the, the, cats
  const std::string file = folder / "docs.txt";
  EXPECT_EQ(corpus.unknown_examples,
            (std::vector<std::string>{"'the' (" + file + ":1)", "'cats' (" + file + ":1)"}));
}

TEST(TextDocuments, AFolderHasOneDocumentPerFileInTheOrderOfNames) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "letters");
  folder.write("letters/b.txt", "dog\nbird\ncat\n");
  folder.write("letters/a.txt", "");
  const Corpus corpus = read_text_documents(folder / "letters", {"cat", "dog"});
  EXPECT_EQ(words_of(corpus), (std::vector<std::vector<Index>>{{}, {1, 0}}));
  EXPECT_EQ(corpus.unknown_words, 1u);
  EXPECT_EQ(corpus.unknown_examples, std::vector<std::string>{"'bird' (" + folder / "letters/b.txt" + ":2)"});
}

TEST(TextDocuments, MayBeginWithAnything) {  // with the mark of gzip, too
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "letters");
  folder.write("letters/a.txt", "\x1f\x8b cat");
  folder.write("lines.txt", "\x1f\x8b cat\ndog\n");
  EXPECT_EQ(words_of(read_text_documents(folder / "letters", {"cat", "dog"})),
            (std::vector<std::vector<Index>>{{0}}));
  EXPECT_EQ(words_of(read_text_documents(folder / "lines.txt", {"cat", "dog"})),
            (std::vector<std::vector<Index>>{{0}, {1}}));
}

TEST(TextDocuments, VocabulariesAreListsOfDistinctWords) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_vocabulary(folder.write("v", "Cat\ndog\n")), (std::vector<std::string>{"cat", "dog"}));
  EXPECT_THROW(read_vocabulary(folder.write("v", "cat\nCat\n")), Error);
  EXPECT_THROW(read_vocabulary(folder.write("v", "two words\n")), Error);
  EXPECT_THROW(read_vocabulary(folder.write("v", "\n")), Error);
}

}  // namespace
}  // namespace tulle
