#include "site_data.hpp"

#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(SiteData, OneRelationIsItsTable) {
  SiteJob job = two_sites();
  job.study.relations.pop_back();
  std::shared_ptr<const Coupling> coupling;
  const CompletionData data = read_site_data(job, 0, 1, coupling);
  EXPECT_EQ(std::get<SparseTensor>(data.train), std::get<SparseTensor>(read_first_relation(job, 0, 1).train));
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
