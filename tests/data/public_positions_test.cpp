#include <tulle/base/error.hpp>
#include <tulle/data/public_positions.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Dataset ratings(std::vector<std::string> users, std::vector<std::string> films,
                const std::vector<std::array<Index, 2>>& cells) {
  SparseTensor tensor(Shape{users.size(), films.size()}, Unlisted::missing);
  float value = 1;
  for (const auto& cell : cells) tensor.append(cell, value++);
  return {{{"user", std::move(users)}, {"film", std::move(films)}}, std::move(tensor)};
}

TEST(PublicPositions, FoundOnesAreSortedSoThatTheirOrderTellsNothing) {
  const Dataset words = ratings({"u"}, {"Cube", "Alien", "Brazil"}, {{0, 0}});
  EXPECT_EQ(found_positions(words, 1).labels, (std::vector<std::string>{"Alien", "Brazil", "Cube"}));
  const Dataset numbers = ratings({"u"}, {"10", "9", "-3"}, {{0, 0}});
  EXPECT_EQ(found_positions(numbers, 1).labels, (std::vector<std::string>{"-3", "9", "10"}));
}

TEST(PublicPositions, OfAModeWithoutLabelsAreItsSize) {
  const Dataset data{unnamed_modes(2), SparseTensor(Shape{3, 7}, Unlisted::missing)};
  EXPECT_EQ(found_positions(data, 1).size, 7u);
  EXPECT_TRUE(found_positions(data, 1).labels.empty());
}

TEST(PublicPositions, EntriesMoveToTheirPublicPlaces) {
  const Dataset data = ratings({"bob", "alice"}, {"Cube", "Alien"}, {{0, 0}, {1, 1}});
  const PlacedData placed =
      at_public_positions(data, {std::nullopt, listed_positions({"Alien", "Brazil", "Cube"}, "films.txt")},
                          OutsidePositions::refuse);
  const auto& tensor = std::get<SparseTensor>(placed.data.tensor);
  EXPECT_EQ(tensor.shape().text(), "2x3");
  EXPECT_EQ(tensor.cells()(0, 1), 2u);
  EXPECT_EQ(tensor.cells()(1, 1), 0u);
  EXPECT_EQ(placed.data.modes[1].labels.size(), 3u);
  EXPECT_EQ(placed.data.modes[0].labels, data.modes[0].labels);
  EXPECT_EQ(placed.dropped, 0u);
}

TEST(PublicPositions, EntriesElsewhereAreDroppedOrRefused) {
  const Dataset data = ratings({"bob"}, {"Cube", "Alien"}, {{0, 0}, {0, 1}});
  const std::vector<std::optional<PublicPositions>> positions = {std::nullopt,
                                                                 listed_positions({"Alien"}, "films.txt")};
  const PlacedData placed = at_public_positions(data, positions, OutsidePositions::drop);
  EXPECT_EQ(placed.dropped, 1u);
  EXPECT_EQ(std::get<SparseTensor>(placed.data.tensor).size(), 1u);
  EXPECT_THROW(at_public_positions(data, positions, OutsidePositions::refuse), Error);
}

// A file may have more positions than labels.
TEST(PublicPositions, EntriesBeyondTheLabelsAreDropped) {
  SparseTensor tensor(Shape{2, 50'000}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 0}, 1);
  tensor.append(std::array<Index, 2>{1, 49'999}, 2);
  std::vector<Mode> modes = unnamed_modes(2);
  modes[1].labels = {"Cube"};
  const PlacedData placed = at_public_positions(
      {modes, std::move(tensor)}, {PublicPositions{{}, 2}, listed_positions({"Cube"}, "films.txt")},
      OutsidePositions::drop);
  EXPECT_EQ(placed.data.listed(), 1u);
  EXPECT_EQ(placed.dropped, 1u);
}

TEST(PublicPositions, NumberedEntriesBeyondThePublicSizeAreDropped) {
  SparseTensor tensor(Shape{2, 9}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 8}, 1);
  tensor.append(std::array<Index, 2>{1, 3}, 2);
  const PlacedData placed =
      at_public_positions({unnamed_modes(2), std::move(tensor)},
                          {PublicPositions{{}, 5}, PublicPositions{{}, 4}}, OutsidePositions::drop);
  EXPECT_EQ(placed.data.shape().text(), "5x4");
  EXPECT_EQ(placed.data.listed(), 1u);
}

TEST(PublicPositions, ANumberOfPositionsDoesNotSayWhichLabelsTheyHave) {
  const Dataset data = ratings({"bob"}, {"Cube"}, {{0, 0}});
  EXPECT_THROW(at_public_positions(data, {std::nullopt, PublicPositions{{}, 4}}, OutsidePositions::drop),
               Error);
}

TEST(PublicPositions, ListedNumbersStayWhatTheyAreAndOthersDoNotCount) {
  SparseTensor tensor(Shape{2, 4'000'000'000}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 8}, 1);
  tensor.append(std::array<Index, 2>{1, 3}, 2);
  tensor.append(std::array<Index, 2>{1, 3'999'999'999}, 3);
  const PlacedData placed = at_public_positions(
      {unnamed_modes(2), std::move(tensor)},
      {PublicPositions{{}, 2}, listed_numbers({"9", "2"}, "films.txt")}, OutsidePositions::drop);
  EXPECT_EQ(placed.data.shape().text(), "2x9");
  EXPECT_EQ(placed.dropped, 2u);
  EXPECT_EQ(std::get<SparseTensor>(placed.data.tensor).cells()(0, 1), 8u);
  EXPECT_TRUE(placed.data.modes[1].labels.empty());
}

TEST(PublicPositions, OfNumberedModesAreNumbersFromOne) {
  for (const char* line : {"Alien", "0", "-1", "1.5", "4294967296", ""})
    EXPECT_THROW(listed_numbers({"1", line}, "films.txt"), Error) << line;
  EXPECT_THROW(listed_numbers({}, "films.txt"), Error);
}

TEST(NumberByName, PlacesGrowWithThePositionsThatHaveEntries) {
  SparseTensor tensor(Shape{4'000'000'000, 2}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{3'999'999'999, 0}, 1);
  tensor.append(std::array<Index, 2>{6, 1}, 2);
  tensor.append(std::array<Index, 2>{3'999'999'999, 1}, 3);
  Dataset data{unnamed_modes(2), std::move(tensor)};
  number_by_name(data, 0, {"7"});
  const auto& placed = std::get<SparseTensor>(data.tensor);
  EXPECT_EQ(data.modes[0], (Mode{.name = "mode1", .labels = {"7", "4000000000"}, .numbered = true}));
  EXPECT_EQ(placed.cells(), Cells(Shape{2, 2}, {{1, 0, 1}, {0, 1, 1}}));
  EXPECT_EQ(placed.values()[2], 3);
}

TEST(PublicPositions, AListNamesEveryPositionOnce) {
  EXPECT_THROW(listed_positions({"Alien", "Cube", "Alien"}, "films.txt"), Error);
  EXPECT_THROW(listed_positions({}, "films.txt"), Error);
}

}  // namespace
}  // namespace tulle
