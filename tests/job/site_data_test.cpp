#include "site_data.hpp"

#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/owner_notes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  SiteStudy& study = job.study;
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

std::vector<Index> cell_of(const SparseTensor& tensor, std::size_t entry) {
  const auto cell = tensor.cells().cell(entry);
  return {cell.begin(), cell.begin() + tensor.order()};
}

TEST(SiteData, RelationsAreOneTensorWithUsersByName) {
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(two_sites(), 0, 1, coupling);
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
  ASSERT_TRUE(coupling);
  EXPECT_EQ(coupling->sizes, (std::vector<std::uint64_t>{1, 3, 2}));
  EXPECT_EQ(coupling->relations[1].modes, (std::vector<int>{1, 0}));
  EXPECT_EQ(data.public_modes[2].labels, (Labels{"1", "2", "(none)"}));
  EXPECT_EQ(data.public_modes[3].labels, (Labels{"tags", "views"}));
  EXPECT_TRUE(data.public_modes[0].any && data.public_modes[0].labels.empty()) << "users are private";
}

// A site without a table of the second relation has the same modes.
TEST(SiteData, ASiteMayLackARelation) {
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(two_sites(), 1, 1, coupling);
  EXPECT_EQ(std::get<SparseTensor>(data.train).shape(), (Shape{1, 3, 3, 2}));
  EXPECT_EQ(coupling->relations.size(), 2u);
}

// What is public follows from the study. A site that lacks the tables of further relations, or has a table
// with other names of its columns, says the same as the others.
TEST(SiteData, PublicFactsAndModesAreTheSameAtEverySite) {
  SiteJob job = two_sites();
  job.study.relations.push_back({.name = "orders",
                                 .entities = {"user", "good"},
                                 .reading = {.duplicates = Duplicates::sum},
                                 .range = std::pair(0.0, 9.0)});
  job.study.positions["good"] = file_of("goods.txt", "bread\nmilk\n");
  job.study.sites[0].files["orders"] = file_of("o.csv", "buyer,thing,count\n12,milk,2\n");
  job.study.relations.back().reading.header = true;
  std::shared_ptr<const Coupling> coupling;
  const CompletionData all = read_site_data(job, 0, 1, coupling),
                       lacking = read_site_data(job, 1, 1, coupling);
  EXPECT_EQ(all.public_facts, lacking.public_facts);
  for (const char* fact :
       {"the size of mode film (the owner's word)", "the positions of mode good (a list of the owner's)",
        "duplicates: sum", "the range of relation views", "the range of relation orders"})
    EXPECT_THAT(lacking.public_facts, ::testing::Contains(HasSubstr(fact)));
  EXPECT_EQ(all.public_modes, lacking.public_modes);
  EXPECT_EQ(lacking.public_modes[3].labels, (Labels{"bread", "milk", "(none)"}));
}

// The columns have the entities' names the other way round.
TEST(SiteData, ModesAreNamedByTheirEntitiesOnce) {
  SiteJob job = two_sites();
  job.study.relations = {{.name = "ratings",
                          .entities = {"user", "film", "tag"},
                          .reading = {.columns = {"a", "tag", "film", "value"}}}};
  job.study.sizes.clear();
  job.study.positions = {{"film", file_of("films.txt", "x\ny\n")}, {"tag", file_of("tags.txt", "t\n")}};
  job.study.sites[0].file = file_of("swapped.csv", "a,tag,film,value\n1,x,t,5\n2,y,t,4\n");
  job.study.sites[0].files.clear();
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(job, 0, 1, coupling);
  EXPECT_EQ(data.public_facts, (Labels{"the positions of mode film (a list of the owner's)",
                                       "the positions of mode tag (a list of the owner's)"}));
  EXPECT_EQ(data.modes[1].name, "film");
  EXPECT_EQ(data.public_modes[1].labels, (Labels{"x", "y"}));
  EXPECT_EQ(std::get<SparseTensor>(data.train).size(), 2u);
}

// The owner is told of further relations what she is told of the first one.
TEST(SiteData, TheOwnerIsToldWhatBecameOfFurtherRelations) {
  SiteJob job = two_sites();
  job.study.relations[1].reading.duplicates = Duplicates::last;
  job.study.sites[0].files["views"] = file_of("twice.tns", "2 40 10\n3 99 0\n1 12 25\n1 12 -3\n2 12 11\n");
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(job, 0, 1, coupling);
  EXPECT_EQ(data.merged_rows, 0u) << "of the first relation, which has other rules";
  EXPECT_EQ(
      data.notes,
      (Labels{
          "Relation views: 1 rows list a cell that an earlier row lists; rows of one cell are merged into "
          "the last of them.",
          "Relation views: 2 of the values (50 %) lie outside of the range 0:10 and were clamped to it."}));
  EXPECT_TRUE(read_site_data(job, 1, 1, coupling).notes.empty());
  job.completion.method = "dp-sgld";
  for (const std::string& note : data.notes)
    EXPECT_THAT(owner_notes(job.completion, data), ::testing::Contains(note));
}

TEST(SiteData, LocalEntitiesHavePositionsOfEachSite) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  job.study.local = {"tag"};
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(job, 1, 1, coupling);
  const auto& train = std::get<SparseTensor>(data.train);
  EXPECT_EQ(train.shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(cell_of(train, 0), (std::vector<Index>{0, 1, 3})) << "the second tag of the second site";
  EXPECT_EQ(data.public_modes[2].labels, (Labels{"north/1", "north/2", "south/1", "south/2"}));
  ASSERT_TRUE(coupling);
  EXPECT_FALSE(coupling->several());
  EXPECT_EQ(coupling->local[0].first, 2u);
  EXPECT_EQ(coupling->local[0].count, 2u);
}

// One table dealt to two sites: a user goes to one of them with all her relations.
TEST(SiteData, UsersAreDealtWithAllTheirRelations) {
  SiteJob job = two_sites();
  job.study.simulated = true;
  job.study.sites.resize(1);
  job.study.deal_to(2);
  std::shared_ptr<const Coupling> coupling;
  std::size_t cells = 0;
  for (int site = 0; site < 2; ++site) {
    const CompletionData data = read_site_data(job, site, 1, coupling);
    const auto& train = std::get<SparseTensor>(data.train);
    for (Index user : train.column(0)) EXPECT_EQ(user % 2, static_cast<Index>(site));
    cells += train.size();
  }
  EXPECT_EQ(cells, 5u);
}

// Every entry goes to one site, and those of a user to as many sites as are stated.
TEST(SiteData, EntriesOfAUserAreDealtToSeveralSites) {
  SiteJob job = two_sites();
  job.study.simulated = true;
  job.study.sites.resize(1);
  job.study.deal_to(3, 2);
  std::shared_ptr<const Coupling> coupling;
  std::size_t cells = 0;
  for (int site = 0; site < 3; ++site) {
    const CompletionData data = read_site_data(job, site, 1, coupling);
    const auto& train = std::get<SparseTensor>(data.train);
    for (Index user : train.column(0)) EXPECT_NE((user + 2) % 3, static_cast<Index>(site));
    cells += train.size();
  }
  EXPECT_EQ(cells, 5u);
  EXPECT_THROW(job.study.deal_to(3, 4), UsageError);
}

// Rows of each site's own do not change which entries it has: each is at one site.
TEST(SiteData, EntriesAreDealtAsTheTableHasThem) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  job.study.local = {"film"};
  job.study.simulated = true;
  job.study.sites.resize(1);
  job.study.deal_to(2, 2);
  std::shared_ptr<const Coupling> coupling;
  std::set<std::vector<Index>> seen;
  std::size_t cells = 0;
  for (int site = 0; site < 2; ++site) {
    const CompletionData data = read_site_data(job, site, 1, coupling);
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

TEST(SiteData, OneRelationIsItsTable) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(job, 0, 1, coupling);
  EXPECT_EQ(std::get<SparseTensor>(data.train), std::get<SparseTensor>(read_first_relation(job, 0, 1).train));
  EXPECT_FALSE(coupling);
}

// Of the sites' tables it needs none.
TEST(SiteData, AServerHasPublicPositionsAndNoEntry) {
  SiteJob job = two_sites();
  std::shared_ptr<const Coupling> coupling, of_server;
  const CompletionData site = read_site_data(job, 0, 1, coupling);
  for (SiteStudy::Site& place : job.study.sites) place.file = "nowhere.tns", place.files.clear();
  const CompletionData server = server_data(job, of_server);
  const auto& train = std::get<SparseTensor>(server.train);
  EXPECT_EQ(train.size(), 0u);
  EXPECT_EQ(train.shape(), (Shape{1, 3, 3, 2})) << "any user, films, tags and none, relations";
  EXPECT_EQ(server.public_modes, site.public_modes);
  EXPECT_EQ(server.public_facts, site.public_facts);
  ASSERT_TRUE(of_server);
  EXPECT_EQ(of_server->relations.size(), coupling->relations.size());
}

TEST(SiteData, AServerNamesPositionsAsTheSitesTablesDo) {
  SiteJob job = two_sites();
  job.study.relations = {{.name = "ratings", .entities = {"user", "film"}, .reading = {.header = true}}};
  job.study.sizes.clear();
  job.study.positions["film"] = file_of("films.txt", "x\ny\n");
  for (SiteStudy::Site& place : job.study.sites) place.file = file_of("r.csv", "user,film,value\na,y,3\n");
  std::shared_ptr<const Coupling> coupling;
  const CompletionData site = read_site_data(job, 1, 1, coupling), server = server_data(job, coupling);
  EXPECT_EQ(server.public_modes, site.public_modes);
  EXPECT_EQ(server.public_modes[1].labels, (Labels{"x", "y"}));
  EXPECT_FALSE(coupling);
}

TEST(SiteData, ATableOfOtherModesIsNamed) {
  SiteJob job = two_sites();
  job.study.sites[0].files["views"] = file_of("cube.tns", "1 1 1 4\n");
  std::shared_ptr<const Coupling> coupling;
  try {
    read_site_data(job, 0, 1, coupling);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cube.tns"));
  }
}

}  // namespace
}  // namespace tulle
