#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/study.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tulle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string write_beside_study(const std::string& name, const std::string& text) {
  static const TemporaryFolder folder;  // tests run side by side, each in a process of its own
  return folder.write(name, text);
}

std::string study_file(const std::string& text) {
  return write_beside_study("sites.toml", text);
}

const std::string kHead = R"(
title = "Shops"
entities = ["user", "film"]
private = ["user"]
rank = 4
)";
const std::string kRelation = R"(
[[relations]]
name = "ratings"
entities = ["user", "film"]
columns = ["user", "film", "rating"]
)";
const std::string kSites = R"(
[[sites]]
name = "north"
file = "north.csv"
test = "north-test.csv"
[[sites]]
name = "south"
file = "south.csv"
)";

std::string refusal(const std::string& text) {
  try {
    read_study(study_file(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The model of several relations has a mode and a position of its own.
TEST(PrivateStudy, NamesThatTheModelHasItselfAreRefused) {
  const auto study = [](const std::string& entity, const std::string& relations) {
    return "entities = [\"user\", \"film\", \"" + entity +
           "\"]\nprivate = [\"user\"]\n[sizes]\nfilm = 3\n[positions]\n" + entity + " = \"tags.txt\"\n" +
           relations + kSites;
  };
  const auto two = [](const std::string& entity) {
    return kRelation + "[[relations]]\nname = \"second\"\nentities = [\"user\", \"film\", \"" + entity +
           "\"]\nrange = [0, 1]\n";
  };
  const auto one = [](const std::string& entity) {
    return "[[relations]]\nname = \"only\"\nentities = [\"user\", \"film\", \"" + entity + "\"]\n";
  };
  write_beside_study("tags.txt", "red\ngreen\n");
  EXPECT_EQ(refusal(study("tag", two("tag"))), "");
  EXPECT_EQ(refusal(study("relation", one("relation"))), "") << "which has no such mode";
  EXPECT_THAT(refusal(study("relation", two("relation"))),
              AllOf(HasSubstr("sites.toml:12: "), HasSubstr("entity relation"), HasSubstr("another name")));
  write_beside_study("tags.txt", "red\n(none)\n");
  EXPECT_EQ(refusal(study("tag", one("tag"))), "") << "no relation lacks it";
  EXPECT_THAT(refusal(study("tag", two("tag"))), AllOf(HasSubstr("tags.txt: "), HasSubstr("'(none)'"),
                                                       HasSubstr("tag"), HasSubstr("another name")));
  EXPECT_EQ(refusal("local = [\"tag\"]\n" + study("tag", two("tag"))), "") << "it is SITE/(none) there";
}

TEST(PrivateStudy, CellsToMeasureTheErrorOnAreReadOrHeldOut) {
  const std::string head = kHead + "[sizes]\nfilm = 3\n" + kRelation;
  const auto split = [&](const std::string& keys) { return head + "[split]\nfile = \"all.tns\"\n" + keys; };
  const StudyFile study = read_study(study_file(split("holdout = 0.2\nsites = 3\n")));
  ASSERT_EQ(study.sites.size(), 3u);
  EXPECT_EQ(study.sites[2].holdout, 0.2);
  EXPECT_FALSE(read_study(study_file(split("test = \"test.tns\"\n"))).sites[0].holdout);
  EXPECT_THAT(refusal(split("holdout = 0.2\ntest = \"test.tns\"\n")), HasSubstr("give test or holdout"));
  EXPECT_THAT(refusal(split("holdout = 1\n")), HasSubstr("between 0 and 1"));
}

TEST(PrivateStudy, ValuesAreClampedWhereTheRelationSays) {
  const std::string head = kHead + "[sizes]\nfilm = 3\n" + kRelation;
  EXPECT_FALSE(read_study(study_file(head + kSites)).first().clamp);
  EXPECT_EQ(read_study(study_file(head + "clamp = [1, 5]\n" + kSites)).first().clamp, std::pair(1.0, 5.0));
  EXPECT_THAT(refusal(head + "clamp = [5, 1]\n" + kSites), HasSubstr("the lower one first"));
}

TEST(PrivateStudy, NamesWhatEachSiteReads) {
  const std::string path = study_file(kHead + "[positions]\nfilm = \"films.txt\"\n" + kRelation + kSites);
  const StudyFile study = read_study(path, {.tables = "/data"});
  EXPECT_TRUE(study.has_sites());
  EXPECT_EQ(study.title, "Shops");
  EXPECT_EQ(study.first().name, "ratings");
  EXPECT_EQ(study.private_entity, "user");
  EXPECT_EQ(study.user_mode(), 0);
  EXPECT_EQ(study.rank, Index{4});
  EXPECT_EQ(std::filesystem::path(study.positions.at("film")).filename(), "films.txt");
  EXPECT_NE(study.positions.at("film"), "/data/films.txt") << "public lists are beside the study";
  ASSERT_EQ(study.sites.size(), 2u);
  EXPECT_EQ(study.sites[0].test, "/data/north-test.csv");
  EXPECT_EQ(study.sites[1].name, "south");
  EXPECT_EQ(study.sites[1].file, "/data/south.csv");
  EXPECT_EQ(study.sites[1].test, "");
}

TEST(PrivateStudy, ASiteIsChargedByItsOwnLedger) {
  const std::string sizes = kHead + "[sizes]\nfilm = 5\n" + kRelation + kSites;
  const std::string east = "[[sites]]\nname = \"east\"\nfile = \"e\"\naccount = \"a\"\n";
  EXPECT_THAT(refusal(sizes + east), HasSubstr("both or neither"));
  const StudyFile study = read_study(study_file(sizes + east + "ledger = \"l.db\"\n"), {.tables = "/data"});
  EXPECT_EQ(study.sites[2].ledger, "/data/l.db");
  EXPECT_EQ(study.sites[2].account, "a");
  EXPECT_EQ(study.sites[1].ledger, "");
}

TEST(PrivateStudy, ATableCanBeDealtToSites) {
  const std::string path = study_file(kHead + "[sizes]\nfilm = 5\n" + kRelation +
                                      "[split]\nfile = \"all.csv\"\ntest = \"test.csv\"\nsites = 3\n");
  StudyFile study = read_study(path, {.tables = "/data"});
  ASSERT_EQ(study.sites.size(), 3u);
  EXPECT_TRUE(study.has_sites());
  EXPECT_EQ(study.sites[2].file, "/data/all.csv");
  EXPECT_EQ(study.sites[2].test, "/data/test.csv");
  EXPECT_EQ(study.sites[2].part, 2);
  EXPECT_EQ(study.sites[2].parts, 3);
  study.deal_to(5);
  EXPECT_EQ(study.sites.size(), 5u);
  EXPECT_THROW(study.deal_to(0), UsageError);
  StudyFile named = read_study(study_file(kHead + "[sizes]\nfilm = 5\n" + kRelation + kSites));
  EXPECT_THROW(named.deal_to(2), UsageError);
}

// The one place has the tables of all its relations of users.
TEST(PrivateStudy, AStudyWithoutSitesIsInOnePlace) {
  const std::string further =
      "[[relations]]\nname = \"views\"\nentities = [\"user\", \"film\"]\nfile = \"v.csv\"\n";
  const std::string sizes = kHead + "[sizes]\nfilm = 5\n";
  const StudyFile study =
      read_study(study_file(sizes + kRelation + "file = \"r.csv\"\n" + further + "range = [0, 1]\n"),
                 {.tables = "/data"});
  EXPECT_TRUE(study.is_private());
  EXPECT_FALSE(study.has_sites());
  ASSERT_EQ(study.sites.size(), 1u);
  EXPECT_EQ(study.sites[0].tables(), (std::vector<std::string>{"/data/r.csv", "/data/v.csv"}));
  EXPECT_THROW(read_tables(study), Error) << "for a fit without privacy";
  EXPECT_THAT(refusal(sizes + kRelation), HasSubstr("relation ratings needs a file"));
  EXPECT_THAT(refusal(sizes + kRelation + "file = \"r.csv\"\nweight = 2\n"),
              HasSubstr("'weight' means nothing"))
      << "a relation of users has no divergence";
  EXPECT_THAT(refusal("local = [\"film\"]\n" + sizes + kRelation + "file = \"r.csv\"\n"),
              HasSubstr("'local' means nothing"))
      << "which is for sites";
  EXPECT_THAT(refusal("entities = [\"user\"]\n" + further + "public = true\n"),
              HasSubstr("'public' means nothing"))
      << "without private users everything is public to the owner";
}

TEST(PrivateStudy, SharedPositionsAreStatedAndPrivateOnesAreNot) {
  EXPECT_THAT(refusal(kHead + kRelation + kSites), HasSubstr("state the positions of entity film"));
  EXPECT_THAT(refusal(kHead + "[sizes]\nfilm = 5\nuser = 3\n" + kRelation + kSites),
              HasSubstr("entity user has is private"));
  EXPECT_THAT(refusal(kHead + "[sizes]\nfilm = 5\n[positions]\nfilm = \"f\"\n" + kRelation + kSites),
              HasSubstr("once"));
  EXPECT_THAT(refusal("entities = [\"user\", \"film\"]\n[sizes]\nfilm = 5\n" + kRelation + kSites),
              HasSubstr("private = [..]"));
  EXPECT_EQ(refusal(kHead + "[sizes]\nfilm = 5\n" + kRelation + kSites), "");
}

TEST(PrivateStudy, SizesAndPositionsAreOfItsEntities) {
  const std::string one = kRelation + "file = \"r.csv\"\n";
  for (const std::string& rest : {one, kRelation + kSites}) {
    EXPECT_THAT(refusal(kHead + "[sizes]\nfilm = 5\nflim = 6\n" + rest),
                HasSubstr("sites.toml:8: 'flim' is not among the entities (did you mean 'film'?)"));
    EXPECT_THAT(refusal(kHead + "[positions]\nfilm = \"f\"\ntag = \"t\"\n" + rest),
                HasSubstr("sites.toml:8: 'tag' is not among the entities; there is: user, film"));
  }
}

// A user who is at two sites moves every sum twice, which the noise does not hide; and a site's name is a
// part of the path of its model.
TEST(PrivateStudy, SitesHaveFilesAndNamesOfTheirOwn) {
  const std::string all = kHead + "[sizes]\nfilm = 5\n" + kRelation + kSites;
  EXPECT_THAT(refusal(all + "[[sites]]\nname = \"east\"\nfile = \"south.csv\"\n"),
              HasSubstr("south.csv; each has a table of its own"));
  for (const char* name : {"../north", "a/b", ".hidden"})
    EXPECT_THAT(refusal(all + fmt::format("[[sites]]\nname = \"{}\"\nfile = \"e\"\n", name)),
                HasSubstr(fmt::format("'{}' has a '/'", name)));
  EXPECT_THAT(refusal(all + "[split]\nfile = \"all.csv\"\n"), HasSubstr("not both"));
}

TEST(PrivateStudy, RefusesWhatIsNotOneTableAtSeveralSites) {
  const std::string sizes = kHead + "[sizes]\nfilm = 5\n";
  EXPECT_THAT(refusal(sizes + kRelation + "[[sites]]\nname = \"east\"\nfile = \"e\"\n"),
              HasSubstr("two [[sites]] or more"));
  EXPECT_THAT(refusal(sizes + kRelation + kRelation + kSites), HasSubstr("two relations are named ratings"));
  EXPECT_THAT(refusal(sizes + kRelation + kSites + kSites), HasSubstr("two sites 'north'"));
  EXPECT_THAT(refusal(sizes + kRelation + kSites + "[[sites]]\nname = \"east\"\n"),
              HasSubstr("a name and a file"));
  EXPECT_THAT(refusal(sizes + kRelation + kSites + "[[sites]]\nname = \"east\"\nfile = \"e\"\nfiel = 1\n"),
              HasSubstr("fiel"));
}

const std::string kFourEntities = R"(
entities = ["user", "film", "tag", "feature"]
private = ["user"]
[sizes]
film = 3
tag = 2
)";
std::string relation(const std::string& name, const std::string& entities, const std::string& keys = "") {
  return fmt::format("[[relations]]\nname = \"{}\"\nentities = [{}]\n{}\n", name, entities, keys);
}
const std::string kTags = relation("tags", R"("user", "film", "tag")"),
                  kViews = relation("views", R"("user", "film")", "range = [0, 10]"),
                  kFeatures = relation("features", R"("film", "feature")", "public = true\nfile = \"f.tns\"");

TEST(PrivateStudy, RelationsAreTheSitesOrPublic) {
  const StudyFile study =
      read_study(study_file(kFourEntities + kTags + kViews + kFeatures +
                            "[split]\nfile = \"t.tns\"\nfiles = { views = \"v.tns\" }\nsites = 2\n"),
                 {.tables = "/data"});
  EXPECT_EQ(study.modes(), (std::vector<std::string>{"user", "film", "tag"})) << "features are public";
  EXPECT_EQ(study.relations[1].range, std::pair(0.0, 10.0));
  EXPECT_TRUE(study.relations[2].is_public);
  EXPECT_EQ(study.relations[2].file, "/data/f.tns");
  EXPECT_EQ(study.sites[1].files.at("views"), "/data/v.tns");
}

TEST(PrivateStudy, RelationsThatCannotBeAreRefusedInOneLine) {
  const std::string end = "[split]\nfile = \"t.tns\"\n";
  const auto told = [&](const std::string& relations) { return refusal(kFourEntities + relations + end); };
  EXPECT_EQ(told(kTags + kViews + kFeatures), "");
  EXPECT_THAT(told(kTags + relation("prices", R"("film", "tag")")),
              HasSubstr("relation prices has no user, so the guarantee would protect nobody in it"));
  EXPECT_THAT(told(kTags + relation("views", R"("user", "film")")),
              HasSubstr("views needs range = [LOW, HIGH]"));
  EXPECT_THAT(told(kViews + kTags), HasSubstr("views is the first"));
  EXPECT_THAT(told(kTags + relation("friends", R"("user", "user")", "range = [0, 1]")),
              HasSubstr("has entity user twice"));
  EXPECT_THAT(told(kTags + relation("views", R"("user", "film")", "public = true\nfile = \"f\"")),
              HasSubstr("cannot be public"));
  EXPECT_THAT(told(kTags + relation("features", R"("film", "feature")", "public = true")),
              HasSubstr("needs a file"));
  EXPECT_THAT(told(kTags + relation("odd", R"("feature", "feature")", "public = true\nfile = \"f\"")),
              HasSubstr("needs entities that relations of user have"));
  EXPECT_THAT(told(kFeatures + kTags), HasSubstr("let another one come first"));
  EXPECT_THAT(told(kTags + kTags), HasSubstr("two relations are named tags"));
  EXPECT_THAT(told(kTags + relation("features", R"("film", "feature")",
                                    "public = true\nfile = \"f\"\nvalues = \"root\"")),
              HasSubstr("kind of values"));
  EXPECT_THAT(
      refusal(kFourEntities + kTags + kFeatures + "[split]\nfile = \"t\"\nfiles = { tags = \"v\" }\n"),
      HasSubstr("'tags' is none of them"));
}

TEST(PrivateStudy, WhatIsStatedOfAnEntityIsForARelation) {
  const std::string end = "[split]\nfile = \"t.tns\"\n";
  EXPECT_THAT(refusal(kFourEntities + kTags + end),
              HasSubstr("no relation has entity feature; remove it from entities"));
  EXPECT_THAT(refusal(kFourEntities + "[positions]\nfeature = \"f.txt\"\n" + kTags + kFeatures + end),
              HasSubstr("no relation of user has entity feature; remove its [positions]"));
  EXPECT_EQ(refusal(kFourEntities + "feature = 5\n" + kTags + kFeatures + end), "");
  EXPECT_THAT(refusal("entities = [\"user\", \"film\", \"film\"]\nprivate = [\"user\"]\n" + kTags + end),
              HasSubstr("sites.toml:1: entity film is listed twice"));
}

TEST(PrivateStudy, FactorsOfASiteAreOfSharedEntities) {
  const std::string end = "[split]\nfile = \"t.tns\"\n";
  const StudyFile study =
      read_study(study_file("local = [\"tag\"]\n" + kFourEntities + kTags + kFeatures + end));
  EXPECT_TRUE(study.is_local("tag"));
  EXPECT_THAT(refusal("local = [\"user\"]\n" + kFourEntities + kTags + end), HasSubstr("other than user"));
  EXPECT_THAT(refusal("local = [\"film\"]\n" + kFourEntities + kTags + kFeatures + end),
              HasSubstr("factors of its own"));
}

}  // namespace
}  // namespace tulle
