#include "sites/coupled_pairs.hpp"

#include <tulle/data/coupling.hpp>

#include <gtest/gtest.h>

#include <set>

namespace tulle::attacks {
namespace {

const PairKind kKind{"dp-sgld", {Unit::user, Relation::add_remove}};

// Both tensors of a pair have the structure that the job names, and cells of one user alone differ.
TEST(CoupledPairs, DifferInOneUserOfAllRelations) {
  std::set<std::string> missing = {"1 relations, 1 public", "2 relations, 0 public", "2 relations, 1 public"};
  int in_both = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const RandomCompletion made = random_completion(kKind, number);
    std::erase_if(missing,
                  [&](const std::string& part) { return made.text.find(part) != std::string::npos; });
    if (!made.job.fit.coupling) continue;
    const Coupling& coupling = *made.job.fit.coupling;
    const int users = made.job.terms.user_mode;
    ASSERT_EQ(made.pair.first.shape(), made.pair.second.shape());
    ASSERT_EQ(made.pair.first.shape(), coupling.shape(users, made.pair.first.shape()[users])) << made.text;
    const bool adds = made.pair.second.size() > made.pair.first.size();
    const SparseTensor &more = adds ? made.pair.second : made.pair.first,
                       &less = adds ? made.pair.first : made.pair.second;
    std::set<Index> relations;
    std::size_t others = 0;
    for (std::size_t entry = 0; entry < more.size(); ++entry) {
      if (more.cells()(entry, users) != made.pair.user)
        ++others;
      else if (coupling.several())
        relations.insert(more.cells()(entry, coupling.relation_mode()));
    }
    if (!made.pair.watched) {
      EXPECT_LE(others, less.size()) << made.text;
    }
    in_both += relations.size() == 2;
  }
  EXPECT_TRUE(missing.empty()) << *missing.begin();
  EXPECT_GT(in_both, 10) << "users who are in both relations";
}

TEST(CoupledPairs, AreOfMethodsThatCoupleAlone) {
  for (std::uint64_t number = 0; number < 30; ++number)
    EXPECT_FALSE(
        random_completion({"gradient", {Unit::user, Relation::add_remove}}, number).job.fit.coupling);
}

}  // namespace
}  // namespace tulle::attacks
