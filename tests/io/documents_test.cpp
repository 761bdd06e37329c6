#include "io/binary/files.hpp"
#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/memory.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>

#include <gmock/gmock.h>

namespace tulle::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string table(const TemporaryFolder& folder, const Shape& shape, std::vector<double> values) {
  const std::string path = folder / "words.npy";
  write(path, {unnamed_modes(shape.order()), DenseTensor(shape, std::move(values))});
  return path;
}

TEST(ReadDocuments, ATableSaysHowLongDocumentsAre) {
  const TemporaryFolder folder;
  const Corpus corpus = read_documents(table(folder, Shape{2, 3}, {1, 2, 3, 3, 3, 1}), 3);
  ASSERT_EQ(corpus.documents.size(), 2u);
  EXPECT_THAT(corpus.documents[1], ElementsAre(2, 2, 0));
  EXPECT_EQ(corpus.length, 3u);
  EXPECT_TRUE(corpus.sites.empty());
}

// Words of bytes, in the order of C and of Fortran, in a file and in memory.
TEST(ReadDocuments, ATableMayLieInAnyOrder) {
  const TemporaryFolder folder;
  const std::string rows = folder.write("rows.npy", npy("|u1", false, "(2, 3)", "\1\2\3\3\3\1"));
  const std::string columns = folder.write("columns.npy", npy("|u1", true, "(2, 3)", "\1\3\2\3\3\1"));
  const std::vector<float> numbers = {1, 2, 3, 3, 3, 1};
  const InMemory held("X", ArrayInMemory{{2, 3}, numbers});
  for (const std::string& path : {rows, columns, held.path()}) {
    const Corpus corpus = read_documents(path, 3);
    ASSERT_EQ(corpus.documents.size(), 2u) << path;
    EXPECT_THAT(corpus.documents[0], ElementsAre(0, 1, 2)) << path;
    EXPECT_THAT(corpus.documents[1], ElementsAre(2, 2, 0)) << path;
  }
}

TEST(ReadDocuments, ThreeModesAreSites) {
  const TemporaryFolder folder;
  const Corpus corpus =
      read_documents(table(folder, Shape{2, 2, 3}, {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}), 4);
  EXPECT_EQ(corpus.documents.size(), 4u);
  EXPECT_THAT(corpus.sites, ElementsAre(2, 2));
  EXPECT_THAT(corpus.documents[3], ElementsAre(3, 3, 3));
}

TEST(ReadDocuments, ListsMayBeOfAnyLength) {
  const TemporaryFolder folder;
  const Corpus corpus = read_documents(folder.write("a.txt", "1 2 3\n\n4,5,1, 1\r\n2\t2\t2\n3"), 5);
  ASSERT_EQ(corpus.documents.size(), 5u);
  EXPECT_TRUE(corpus.documents[1].empty()) << "a blank line is a document: their number is public";
  EXPECT_THAT(corpus.documents[2], ElementsAre(3, 4, 0, 0));
  EXPECT_THAT(corpus.documents[3], ElementsAre(1, 1, 1));
  EXPECT_FALSE(corpus.length) << "lengths are the documents' own";
}

// A quarter of the words are the second, and as much is kept of them, whatever their number.
TEST(ReadDocuments, OfALongBagWordsAreKeptInProportion) {
  const TemporaryFolder folder;
  const std::string mtx = folder.write(
      "a.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 3e10\n1 2 1e10\n2 4 1e39\n3 3 2\n");
  const Corpus corpus = read_documents(mtx, 4, {.clamp_to_float32 = true}, LongBags::thin);
  ASSERT_EQ(corpus.documents[0].size(), 65536u);
  EXPECT_EQ(std::ranges::count(corpus.documents[0], 1u), 16384);
  EXPECT_EQ(std::ranges::count(corpus.documents[1], 3u), 65536);
  EXPECT_THAT(corpus.documents[2], ElementsAre(2, 2));
  EXPECT_THAT(error_of([&] { read_documents(mtx, 4, {.clamp_to_float32 = true}); }),
              HasSubstr("words in all"));
}

TEST(ReadDocuments, OnlyTnsDoesNotStateHowManyDocumentsThereAre) {
  for (const char* path : {"bags.mtx", "list.txt", "bags.tns.txt", "folder.tns/words.npy", "-", "a.csv.gz"})
    EXPECT_TRUE(states_documents(path)) << path;
  EXPECT_FALSE(states_documents("bags.tns"));
  EXPECT_FALSE(states_documents("bags.tns.gz"));
  EXPECT_FALSE(states_documents("bags.txt", {.format = Format::tns}));
  EXPECT_TRUE(states_documents("bags.tns", {.format = Format::mtx}));
}

TEST(ReadDocuments, BagsOfWordsRepeatTheirWords) {
  const TemporaryFolder folder;
  const std::string mtx =
      folder.write("a.mtx", "%%MatrixMarket matrix coordinate integer general\n2 4 3\n2 1 3\n1 4 2\n1 2 1\n");
  const Corpus corpus = read_documents(mtx, 4);
  ASSERT_EQ(corpus.documents.size(), 2u);
  EXPECT_THAT(corpus.documents[0], ElementsAre(3, 3, 1));
  EXPECT_THAT(corpus.documents[1], ElementsAre(0, 0, 0));
  EXPECT_EQ(read_documents(folder.write("a.tns", "1 1 3\n2 2 4\n"), 4).documents[1].size(), 4u);
  EXPECT_EQ(read_documents(folder.write("b.tns", "1 1 3\n3 1 3\n"), 4).documents[1].size(), 0u);
}

// Whether any document has a word is private, so a file that lists none is read like any other.
TEST(ReadDocuments, AllDocumentsMayBeEmpty) {
  const TemporaryFolder folder;
  const std::string mtx = folder.write("a.mtx", "%%MatrixMarket matrix coordinate integer general\n3 4 0\n");
  const Corpus corpus = read_documents(mtx, 4);
  EXPECT_EQ(corpus.documents.size(), 3u);
  EXPECT_EQ(corpus.documents[2].size(), 0u);
  EXPECT_EQ(read_documents(folder.write("a.txt", "\n\n\n"), 4).documents.size(), 3u);
}

TEST(ReadDocuments, WhatIsWrongIsSaidInOneLine) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& path) { return message_of([&] { read_documents(path, 4); }); };
  const auto list = [&](const std::string& text) { return refusal(folder.write("bad.txt", text)); };
  EXPECT_THAT(list("1 2 3\n1 0 2\n"), HasSubstr("bad.txt:2: '0' is no word"));
  EXPECT_THAT(list("1 2 5\n"), HasSubstr("from 1 to 4"));
  EXPECT_THAT(refusal(table(folder, Shape{2, 2}, {1, 2, 3, 4})), HasSubstr("documents of 2 words"));
  EXPECT_THAT(list("1 two 3\n"), HasSubstr("'two' is no word"));
  EXPECT_THAT(list("1 -2 3\n"), HasSubstr("'-2' is no word"));
  EXPECT_THAT(list(""), HasSubstr("no documents"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {1, 0, 2})), HasSubstr("document 1 has word 0"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {1, 5, 2})), HasSubstr("document 1 has word 5"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {1, 1.5, 2})), HasSubstr("document 1 has word 1.5"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {1, 2, -INFINITY})), HasSubstr("document 1 has word -inf"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {1, 2, 4294967297.0})),
              HasSubstr("document 1 has word 4294967297"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {NAN, 2, 2})), HasSubstr("document 1 has word nan"));
  EXPECT_THAT(refusal(table(folder, Shape{1, 3}, {1, 1.5, 2})), HasSubstr("whole numbers"));
  EXPECT_THAT(message_of([&] {
                read_documents(table(folder, Shape{1, 3}, {1, 2, 3}), 4, {.shape = Shape{2, 3}});
              }),
              HasSubstr("is 1x3, not 2x3"));
  std::vector<double> many(300'000, 2);
  many[7] = 9, many[299'998] = 8;
  EXPECT_THAT(refusal(table(folder, Shape{100'000, 3}, many)), HasSubstr("document 3 has word 9"));
  EXPECT_THAT(refusal(folder.write("half.tns", "1 1 2.5\n")), HasSubstr("counts are whole numbers"));
  EXPECT_THAT(refusal(folder.write("negative.tns", "1 1 -3\n")), HasSubstr("counts are whole numbers"));
}

TEST(TopicsFile, ComesBackAsItWas) {
  const TemporaryFolder folder;
  Topics topics{Matrix::Constant(3, 2, 0.25), Vector::Constant(2, 0.5), 0};
  for (double variance : {0.0, 0.125}) {
    topics.variance = variance;
    topics.stands_out = variance > 0 ? std::vector<bool>() : std::vector<bool>{true, false};
    save(folder / "t.npz", {.model = topics, .modes = unnamed_modes(2), .method = "histogram"});
    const auto back = std::get<ModelFile>(load(folder / "t.npz"));
    const auto& model = std::get<Topics>(back.model);
    EXPECT_EQ(model.topics, topics.topics);
    EXPECT_EQ(model.weights, topics.weights);
    EXPECT_EQ(model.stands_out, topics.stands_out);
    EXPECT_EQ(model.variance, variance);
  }
}

}  // namespace
}  // namespace tulle::test
