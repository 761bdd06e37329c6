#include <tulle/data/name_hashes.hpp>

#include <gtest/gtest.h>

#include <map>

namespace tulle {
namespace {

std::vector<std::string> names(int count) {
  std::vector<std::string> all;
  for (int number = 0; number < count; ++number) all.push_back(fmt::format("user {}", number));
  return all;
}

std::map<std::string, int> parts_of(const std::vector<std::string>& users, int parts) {
  const std::vector<int> dealt = parts_by_name({"user", users}, users.size(), parts);
  std::map<std::string, int> all;
  for (std::size_t i = 0; i < users.size(); ++i) all[users[i]] = dealt[i];
  return all;
}

// Neighbouring tables must be alike at every site but the one of the user who is gone.
TEST(PartsByName, AreTheSameForAllOthersWhenAnyUserIsGone) {
  const std::vector<std::string> users = names(40);
  for (int parts = 1; parts <= 5; ++parts) {
    const auto all = parts_of(users, parts);
    for (const std::string& gone : users) {
      std::vector<std::string> left = users;
      std::erase(left, gone);
      auto expected = all;
      expected.erase(gone);
      EXPECT_EQ(parts_of(left, parts), expected);
    }
  }
}

// 6000 names, 6 parts: chi-square with 5 degrees of freedom is above 41 once in 1e7 for random parts.
TEST(PartsByName, AreEquallyLikely) {
  std::vector<int> counts(6);
  for (const auto& [name, part] : parts_of(names(6000), 6)) ++counts.at(static_cast<std::size_t>(part));
  double chi_square = 0;
  for (int count : counts) chi_square += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi_square, 41);
}

TEST(PartsByName, OfNumberedPositionsGoByTheirNumbers) {
  EXPECT_EQ(parts_by_name({"user", {}}, 4, 3), parts_by_name({"user", {"1", "2", "3", "4"}}, 4, 3));
}

// Positions in another order under their names have the hashes that they had; another key has others.
TEST(NameHashes, FollowFromNamesAndKeyAlone) {
  const Shape shape{2, 2};
  const NameHashes hashes({{"user", {"ann", "bob"}}, {"film", {"x", "y"}}}, shape, 5);
  const NameHashes turned({{"user", {"bob", "ann"}}, {"film", {"y", "x"}}}, shape, 5);
  const NameHashes other({{"user", {"ann", "bob"}}, {"film", {"x", "y"}}}, shape, 6);
  const Cells cells(shape, {{0, 0, 1, 1}, {0, 1, 0, 1}}), back(shape, {{1, 1, 0, 0}, {1, 0, 1, 0}});
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    EXPECT_EQ(hashes.of(cells, entry), turned.of(back, entry));
    EXPECT_NE(hashes.of(cells, entry), other.of(cells, entry));
  }
}

}  // namespace
}  // namespace tulle
