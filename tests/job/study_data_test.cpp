#include "study_data.hpp"

#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/owner_notes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using Labels = std::vector<std::string>;

std::string file_of(const std::string& name, const std::string& text) {
  static const TemporaryFolder folder;  // tests run side by side, each in a process of its own
  return folder.write(name, text);
}

// Two sites with users x films x tags (1 to 5) and users x films (0 to 10). The first has three users, one of
// them in the second relation alone.
SiteJob two_sites() {
  SiteJob job;
  StudyFile& study = job.study;
  study.relations = {{.name = "tags", .entities = {"user", "film", "tag"}},
                     {.name = "views", .entities = {"film", "user"}, .range = std::pair(0.0, 10.0)}};
  study.private_entity = "user";
  study.sizes = {{"film", 3}, {"tag", 2}};
  study.sites = {{"north", file_of("n.tns", "12 1 1 5\n40 3 2 1\n"), ""},
                 {"south", file_of("s.tns", "7 2 2 4\n"), ""}};
  study.sites[0].files["views"] = file_of("v.tns", "2 40 10\n3 99 0\n1 12 25\n");
  job.completion.terms.range = {1, 5};
  return job;
}

CompletionData read_at(const SiteJob& job, int site) {
  return read_study_data(job.study, job.completion.terms.range, site, 1);
}

std::vector<Index> cell_of(const SparseTensor& tensor, std::size_t entry) {
  const auto cell = tensor.cells().cell(entry);
  return {cell.begin(), cell.begin() + tensor.order()};
}

TEST(StudyData, RelationsAreOneTensorWithUsersByName) {
  const CompletionData data = read_at(two_sites(), 0);
  const auto& train = std::get<SparseTensor>(data.train);
  EXPECT_EQ(train.shape(), (Shape{3, 3, 3, 2})) << "users, films, tags and none, relations";
  ASSERT_EQ(train.size(), 5u);
  EXPECT_EQ(data.modes[0].labels, (Labels{"12", "40", "99"}));
  EXPECT_EQ(cell_of(train, 1), (std::vector<Index>{1, 2, 1, 0}));
  EXPECT_EQ(train.values()[1], 1) << "values of the first relation stay";
  EXPECT_EQ(cell_of(train, 2), (std::vector<Index>{1, 1, 2, 1})) << "user 40 of the second";
  EXPECT_EQ(train.values()[2], 5) << "10 of 0 to 10";
  EXPECT_EQ(train.values()[3], 1);
  EXPECT_EQ(train.values()[4], 5) << "25 is clamped to 10";
  ASSERT_TRUE(data.coupling);
  EXPECT_EQ(data.coupling->sizes, (std::vector<std::uint64_t>{1, 3, 2}));
  EXPECT_EQ(data.coupling->relations[1].modes, (std::vector<int>{1, 0}));
  EXPECT_EQ(data.public_modes[2].labels, (Labels{"1", "2", "(none)"}));
  EXPECT_EQ(data.public_modes[3].labels, (Labels{"tags", "views"}));
  EXPECT_TRUE(data.public_modes[0].any && data.public_modes[0].labels.empty()) << "users are private";
}

// A site without a table of the second relation has the same modes.
TEST(StudyData, ASiteMayLackARelation) {
  const CompletionData data = read_at(two_sites(), 1);
  EXPECT_EQ(std::get<SparseTensor>(data.train).shape(), (Shape{1, 3, 3, 2}));
  EXPECT_EQ(data.coupling->relations.size(), 2u);
}

// What is public follows from the study. A site that lacks the tables of further relations says the same as
// the others.
TEST(StudyData, PublicFactsAndModesAreTheSameAtEverySite) {
  SiteJob job = two_sites();
  job.study.relations.push_back({.name = "orders",
                                 .entities = {"user", "good"},
                                 .reading = {.duplicates = Duplicates::sum},
                                 .range = std::pair(0.0, 9.0)});
  job.study.positions["good"] = file_of("goods.txt", "1\n2\n");
  job.study.sites[0].files["orders"] = file_of("o.tns", "12 2 2\n");
  const CompletionData all = read_at(job, 0), lacking = read_at(job, 1);
  EXPECT_EQ(all.public_facts, lacking.public_facts);
  for (const char* fact :
       {"the size of mode film (the owner's word)", "the positions of mode good (a list of the owner's)",
        "duplicates: sum", "the range of relation views", "the range of relation orders"})
    EXPECT_THAT(lacking.public_facts, ::testing::Contains(HasSubstr(fact)));
  EXPECT_EQ(all.public_modes, lacking.public_modes);
  EXPECT_EQ(lacking.public_modes[3].labels, (Labels{"1", "2", "(none)"}));
}

// The columns have the entities' names the other way round.
TEST(StudyData, ModesAreNamedByTheirEntitiesOnce) {
  SiteJob job = two_sites();
  job.study.relations = {{.name = "ratings",
                          .entities = {"user", "film", "tag"},
                          .reading = {.columns = {"a", "tag", "film", "value"}}}};
  job.study.sizes.clear();
  job.study.positions = {{"film", file_of("films.txt", "x\ny\n")}, {"tag", file_of("tags.txt", "t\n")}};
  job.study.sites[0].file = file_of("swapped.csv", "a,tag,film,value\n1,x,t,5\n2,y,t,4\n");
  job.study.sites[0].files.clear();
  const CompletionData data = read_at(job, 0);
  EXPECT_EQ(data.public_facts, (Labels{"the positions of mode film (a list of the owner's)",
                                       "the positions of mode tag (a list of the owner's)"}));
  EXPECT_EQ(data.modes[1].name, "film");
  EXPECT_EQ(data.public_modes[1].labels, (Labels{"x", "y"}));
  EXPECT_EQ(std::get<SparseTensor>(data.train).size(), 2u);
}

// The owner is told of further relations what she is told of the first one.
TEST(StudyData, TheOwnerIsToldWhatBecameOfFurtherRelations) {
  SiteJob job = two_sites();
  job.study.relations[1].reading.duplicates = Duplicates::last;
  job.study.sites[0].files["views"] = file_of("twice.tns", "2 40 10\n3 99 0\n1 12 25\n1 12 -3\n2 12 11\n");
  const CompletionData data = read_at(job, 0);
  EXPECT_EQ(data.merged_rows, 0u) << "of the first relation, which has other rules";
  EXPECT_EQ(
      data.notes,
      Labels{"Relation views: 1 rows list a cell that an earlier row lists; rows of one cell are merged "
             "into the last of them."});
  ASSERT_EQ(data.losses.size(), 1u);
  EXPECT_EQ(data.losses[0].what,
            "Relation views: 2 of the values (50 %) lie outside of the range 0:10 and were clamped to it.");
  EXPECT_EQ(data.losses[0].share, 0.5);
  const CompletionData other = read_at(job, 1);
  EXPECT_TRUE(other.notes.empty() && other.losses.empty());
  job.completion.method = "dp-sgld";
  for (const std::string& note : {data.notes[0], data.losses[0].what})
    EXPECT_THAT(owner_notes(job.completion, data), ::testing::Contains(note));
}

TEST(StudyData, LocalEntitiesHavePositionsOfEachSite) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  job.study.local = {"tag"};
  const CompletionData data = read_at(job, 1);
  const auto& train = std::get<SparseTensor>(data.train);
  EXPECT_EQ(train.shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(cell_of(train, 0), (std::vector<Index>{0, 1, 3})) << "the second tag of the second site";
  EXPECT_EQ(data.public_modes[2].labels, (Labels{"north/1", "north/2", "south/1", "south/2"}));
  ASSERT_TRUE(data.coupling);
  EXPECT_FALSE(data.coupling->several());
  EXPECT_EQ(data.coupling->local[0].first, 2u);
  EXPECT_EQ(data.coupling->local[0].count, 2u);
}

// One table for all, dealt to `sites` of them.
SiteJob dealt(int sites, int overlap = 1) {
  SiteJob job = two_sites();
  job.study.simulated = true;
  job.study.sites.resize(1);
  job.study.deal_to(sites, overlap);
  return job;
}

// The sites that each user is at, by her name, and how many entries they have together.
struct Dealt {
  std::map<std::string, std::set<int>> sites_of;
  std::size_t cells = 0;
};

Dealt read_all(const SiteJob& job) {
  Dealt all;
  for (int site = 0; site < static_cast<int>(job.study.sites.size()); ++site) {
    const CompletionData data = read_at(job, site);
    const auto& train = std::get<SparseTensor>(data.train);
    for (Index user : train.column(0)) all.sites_of[position_name(data.modes[0], user)].insert(site);
    all.cells += train.size();
  }
  return all;
}

// A user goes to one site, with all her relations.
TEST(StudyData, UsersAreDealtWithAllTheirRelations) {
  const Dealt all = read_all(dealt(2));
  EXPECT_EQ(all.cells, 5u);
  EXPECT_EQ(all.sites_of.size(), 3u);
  for (const auto& [user, sites] : all.sites_of) EXPECT_EQ(sites.size(), 1u) << user;
}

// At the other sites nothing may show of a user who is gone: she was the first or the last, she was in one
// relation or in two, or there is one relation alone.
TEST(StudyData, AUserWhoIsGoneMovesNobodyToAnotherSite) {
  const std::string first = "12 1 1 5\n", second = "40 3 2 1\n", third = "7 2 1 3\n", fourth = "8 2 2 3\n";
  for (const bool relations : {true, false}) {
    SiteJob job = dealt(3);
    if (!relations) job.study.relations.pop_back();
    const auto with = [&](const std::string& text) {
      for (StudyFile::Site& site : job.study.sites) {
        site.file = file_of("some.tns", text);
        if (!relations) site.files.clear();
      }
      return read_all(job).sites_of;
    };
    auto all = with(first + second + third + fourth);
    EXPECT_EQ(with(fourth + third + second + first), all) << "another order";
    for (const auto& [name, left] : {std::pair("12", second + third + fourth),
                                     {"40", first + third + fourth},
                                     {"8", first + second + third}}) {
      const auto without = with(left);
      for (const auto& [user, sites] : all)
        if (user != name) {
          EXPECT_EQ(without.at(user), sites) << user << " without " << name;
        }
    }
  }
}

// Every entry goes to one site, and those of a user to as many sites as are stated.
TEST(StudyData, EntriesOfAUserAreDealtToSeveralSites) {
  SiteJob job = dealt(3, 2);
  for (StudyFile::Site& site : job.study.sites)
    site.file = file_of("films.tns", "12 1 1 5\n12 2 1 4\n40 1 1 3\n40 2 1 3\n"), site.files.clear();
  const Dealt all = read_all(job);
  EXPECT_EQ(all.cells, 4u);
  for (const auto& [user, sites] : all.sites_of) {
    EXPECT_EQ(sites.size(), 2u) << user;
  }
  EXPECT_THROW(job.study.deal_to(3, 4), UsageError);
}

// Rows of each site's own do not change which entries it has: each is at one site.
TEST(StudyData, EntriesAreDealtAsTheTableHasThem) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  job.study.local = {"film"};
  job.study.simulated = true;
  job.study.sites.resize(1);
  job.study.deal_to(2, 2);
  std::set<std::vector<Index>> seen;
  std::size_t cells = 0;
  for (int site = 0; site < 2; ++site) {
    const CompletionData data = read_at(job, site);
    const auto& train = std::get<SparseTensor>(data.train);
    for (std::size_t entry = 0; entry < train.size(); ++entry) {
      std::vector<Index> cell = cell_of(train, entry);
      cell[1] %= 3;  // the film in the table
      EXPECT_TRUE(seen.insert(cell).second);
    }
    cells += train.size();
  }
  EXPECT_EQ(cells, 2u);
}

TEST(StudyData, OneRelationIsItsTable) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  const CompletionData data = read_at(job, 0);
  EXPECT_EQ(std::get<SparseTensor>(data.train),
            std::get<SparseTensor>(read_first_relation(job.study, 0, 1).train));
  EXPECT_FALSE(data.coupling);
}

// Of the sites' tables it needs none.
TEST(StudyData, AServerHasPublicPositionsAndNoEntry) {
  SiteJob job = two_sites();
  const CompletionData site = read_at(job, 0);
  for (StudyFile::Site& place : job.study.sites) place.file = "nowhere.tns", place.files.clear();
  const CompletionData server = server_data(job.study, job.completion.terms.range);
  const auto& train = std::get<SparseTensor>(server.train);
  EXPECT_EQ(train.size(), 0u);
  EXPECT_EQ(train.shape(), (Shape{1, 3, 3, 2})) << "any user, films, tags and none, relations";
  EXPECT_EQ(server.public_modes, site.public_modes);
  EXPECT_EQ(server.public_facts, site.public_facts);
  ASSERT_TRUE(server.coupling);
  EXPECT_EQ(server.coupling->relations.size(), site.coupling->relations.size());
}

TEST(StudyData, AServerNamesPositionsAsTheSitesTablesDo) {
  SiteJob job = two_sites();
  job.study.relations = {{.name = "ratings", .entities = {"user", "film"}, .reading = {.header = true}}};
  job.study.sizes.clear();
  job.study.positions["film"] = file_of("films.txt", "x\ny\n");
  for (StudyFile::Site& place : job.study.sites) place.file = file_of("r.csv", "user,film,value\na,y,3\n");
  const CompletionData site = read_at(job, 1), server = server_data(job.study, job.completion.terms.range);
  EXPECT_EQ(server.public_modes, site.public_modes);
  EXPECT_EQ(server.public_modes[1].labels, (Labels{"x", "y"}));
  EXPECT_FALSE(server.coupling);
}

// The films of both tables are 1, 2 and 3; the second one names users.
SiteJob with_a_named_table(const std::string& lines) {
  SiteJob job = two_sites();
  job.study.sizes.erase("film");
  job.study.positions["film"] = file_of("numbered.txt", "1\n2\n3\n");
  job.study.relations[1].reading.header = true;
  job.study.sites[0].files["views"] = file_of("named.csv", "film,user,views\n" + lines);
  return job;
}

// Names in one table and numbers in another would make two units of one person: each with a clip of her own.
// A table that counts from 0 would make a user another one than an array, whose rows count from 1.
TEST(StudyData, UsersWithNamesHereAndNumbersThereAreRefused) {
  const SiteJob job = with_a_named_table("1,11,10\n2,39,0\n");
  try {
    read_at(job, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("relation tags ("));
    EXPECT_THAT(error.what(), HasSubstr("n.tns) has a number, from 1, for each user, but relation views ("));
    EXPECT_THAT(error.what(), HasSubstr("named.csv) names each user"));
    EXPECT_THAT(error.what(), HasSubstr("name them in all tables, or number them in all"));
  }
}

// Refused by the formats: whether there is any line, and so any name, is private.
TEST(StudyData, UsersOfATableWithoutLinesAreRefusedAlike) {
  std::set<std::string> errors;
  for (const char* lines : {"", "1,12,10\n"}) {
    try {
      read_at(with_a_named_table(lines), 0);
      FAIL();
    } catch (const Error& error) {
      errors.insert(error.what());
    }
  }
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(*errors.begin(), HasSubstr("name them in all tables"));
}

TEST(StudyData, ATableOfOtherModesIsNamed) {
  SiteJob job = two_sites();
  job.study.sites[0].files["views"] = file_of("cube.tns", "1 1 1 4\n");
  try {
    read_at(job, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cube.tns"));
  }
}

}  // namespace
}  // namespace tulle
