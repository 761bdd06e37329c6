#include <tulle/base/error.hpp>
#include <tulle/tensor/documents.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

TEST(Documents, KeepTheirWordsAndLengths) {
  Documents documents(5);
  documents.append(std::array<Index, 3>{0, 4, 4}, "here");
  documents.append(std::array<Index, 4>{1, 2, 3, 0}, "here");
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].size(), 3u);
  EXPECT_EQ(documents[1][2], 3u);
  const Documents second = documents.slice(1, 1);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0][0], 1u);
  EXPECT_EQ(second.vocabulary(), 5u);
}

TEST(Documents, OfOneLengthLieOneAfterAnother) {
  const Documents documents(5, {0, 4, 4, 1, 2, 3}, 3);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[1].size(), 3u);
  EXPECT_EQ(documents[1][0], 1u);
  EXPECT_EQ(Documents(5, {}, 3).size(), 0u);
  EXPECT_THROW(Documents(5, {0, 4, 4, 1}, 3), Error);
  EXPECT_THROW(Documents(4, {0, 4, 4}, 3), Error);
  EXPECT_THROW(Documents(5, {0}, 0), Error);
}

TEST(Documents, OfOneLengthCanBeSlicedAndFollowedByOthers) {
  const Documents all(5, {0, 4, 4, 1, 2, 3, 2, 2, 2}, 3);
  Documents documents = all.slice(1, 2);
  ASSERT_EQ(documents.size(), 2u);
  documents.append(std::array<Index, 2>{4, 0}, "here");
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_TRUE(std::ranges::equal(documents[0], all[1]));
  EXPECT_TRUE(std::ranges::equal(documents[1], all[2]));
  EXPECT_TRUE(std::ranges::equal(documents[2], std::array<Index, 2>{4, 0}));
  EXPECT_TRUE(std::ranges::equal(documents.slice(2, 1)[0], documents[2]));
}

TEST(Documents, MayBeShort) {
  Documents documents(5);
  documents.append(std::array<Index, 2>{1, 2}, "here");
  documents.append({}, "here");
  EXPECT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].size(), 2u);
  EXPECT_EQ(documents[1].size(), 0u);
}

TEST(Documents, RefuseWordsThatAreNotInTheVocabulary) {
  Documents documents(5);
  const auto refusal = [&](std::vector<Index> words) -> std::string {
    try {
      documents.append(words, "file");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(refusal({1, 2, 5}), "file: document 1 has word 6; words run from 1 to 5");
  EXPECT_EQ(documents.size(), 0u);
}

TEST(SymmetricCells, AreNumberedWithoutGapsAndStandForAllOrders) {
  constexpr std::size_t kSize = 7;
  std::size_t next = 0, places = 0;
  for_each_triple(kSize, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    EXPECT_EQ(cell, next++);
    EXPECT_EQ(cell, triple_cell(a, b, c));
    places += static_cast<std::size_t>(orders_of(a, b, c));
  });
  EXPECT_EQ(next, triple_cells(kSize));
  EXPECT_EQ(places, kSize * kSize * kSize);
  next = places = 0;
  for_each_pair(kSize, [&](std::size_t cell, std::size_t a, std::size_t b) {
    EXPECT_EQ(cell, next++);
    EXPECT_EQ(cell, pair_cell(a, b));
    places += static_cast<std::size_t>(orders_of(a, b));
  });
  EXPECT_EQ(next, pair_cells(kSize));
  EXPECT_EQ(places, kSize * kSize);
  EXPECT_EQ(triple_cells(10), 220u) << "imtiaz2017: D = 10";
  EXPECT_EQ(triple_cells(50), 22100u);
}

}  // namespace
}  // namespace tulle
