#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/study.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::HasSubstr;

std::string file_of(const std::string& name, const std::string& text) {
  static const TemporaryFolder folder;  // tests run side by side, each in a process of its own
  return folder.write(name, text);
}

// Users, 3 films by number, tags by name.
StudyFile study() {
  StudyFile study;
  study.relations = {{.name = "tags", .entities = {"user", "film", "tag"}}};
  study.private_entity = "user";
  study.sizes["film"] = 3;
  study.positions["tag"] = file_of("tags.txt", "red\nblue\n");
  return study;
}

TEST(PublicTable, HasTheModesOfTheSitesAndOneOfItsOwn) {
  const StudyFile::Relation features{.name = "features",
                                     .entities = {"film", "feature"},
                                     .is_public = true,
                                     .file = file_of("f.tns", "1 1 9\n1 2 5\n2 3 4\n"),
                                     .values = Transform::log,
                                     .dropped = {1}};
  const PublicTable table = read_public_table(study(), features);
  EXPECT_EQ(table.modes, (std::vector<int>{1, PublicTable::kOwn}));
  EXPECT_EQ(table.cells.shape(), (Shape{3, 2}))
      << "all films of the study, without the feature that is dropped";
  ASSERT_EQ(table.cells.size(), 2u);
  EXPECT_FLOAT_EQ(table.cells.values()[0], std::log(6.0F));
}

TEST(PublicTable, AnEntityThatStandsTwiceIsItsOwnTheSecondTime) {
  const StudyFile::Relation pairs{.name = "pairs",
                                  .entities = {"tag", "tag"},
                                  .reading = {.columns = {"a", "b", "value"}},
                                  .is_public = true,
                                  .file = file_of("p.csv", "a,b,value\nblue,red,1\n")};
  const PublicTable table = read_public_table(study(), pairs);
  EXPECT_EQ(table.modes, (std::vector<int>{2, PublicTable::kOwn}));
  EXPECT_EQ(table.cells.cells()(0, 0), 1u) << "as the study lists the tags";
}

TEST(PublicTable, AStatedSizeOfItsOwnEntityIsThatOfTheTable) {
  const StudyFile::Relation features{.name = "features",
                                     .entities = {"film", "feature"},
                                     .is_public = true,
                                     .file = file_of("f.tns", "1 1 9\n1 2 5\n2 3 4\n")};
  StudyFile stated = study();
  stated.sizes["feature"] = 3;
  EXPECT_EQ(read_public_table(stated, features).cells.shape(), (Shape{3, 3}));
  for (const Index other : {2, 7}) {
    stated.sizes["feature"] = other;
    EXPECT_THAT([&] { read_public_table(stated, features); },
                ::testing::ThrowsMessage<Error>(HasSubstr(
                    fmt::format("the table has 3 positions of feature, but [sizes] states {}", other))));
  }
}

// By the number 900 of the table the 900th of 3 films would be meant.
TEST(PublicTable, NumbersOfPositionsThatAreListedByOtherNamesAreRefused) {
  StudyFile listed = study();
  listed.sizes.clear();
  const StudyFile::Relation features{.name = "features",
                                     .entities = {"film", "feature"},
                                     .is_public = true,
                                     .file = file_of("n.tns", "2 1 9\n")};
  for (const char* lines : {"100\n900\n", "2\n1\n"}) {
    listed.positions["film"] = file_of("films.txt", lines);
    try {
      read_public_table(listed, features);
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("list 1, 2, .. in order"));
    }
  }
  listed.positions["film"] = file_of("films.txt", "1\n2\n");
  EXPECT_EQ(read_public_table(listed, features).cells.shape()[0], 2);
}

TEST(PublicTable, PositionsThatTheStudyDoesNotHaveAreRefused) {
  StudyFile::Relation features{.name = "features",
                               .entities = {"film", "feature"},
                               .is_public = true,
                               .file = file_of("far.tns", "4 1 9\n")};
  const auto told = [&] {
    try {
      read_public_table(study(), features);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(told(), HasSubstr("relation features: '4' is not among the public positions"));
  features.file = file_of("cube.tns", "1 1 1 9\n");
  EXPECT_THAT(told(), HasSubstr("has 2 entities, but the table has 3 modes"));
}

}  // namespace
}  // namespace tulle
