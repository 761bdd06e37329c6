#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/method/private_completion.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

struct Case {
  Unit unit;
  std::optional<Relation> relation;
  ModelKind model;
  Budget budget;
  std::string_view expected;
  std::vector<int> ranks = {1};
};

Completion run(const Case& chosen) {
  const SparseTensor data = observe(generate_cp(Shape{12, 10, 8}, 1, 1, 1).noisy, 0.6, 1);
  Terms terms{
      .budget = chosen.budget, .unit = chosen.unit, .relation = chosen.relation, .range = {0, 1}, .seed = 1};
  terms.shape = PublicShape{data.shape()};
  FitOptions fit;
  fit.model = chosen.model;
  fit.ranks = chosen.ranks;
  return complete_privately(find_method("auto"), data, terms, {}, fit);
}

TEST(Auto, PicksWhatProtectsTheUnitUnderTheRelationWithTheModel) {
  const double delta = 1e-4;
  for (const Case& chosen : {
           Case{Unit::entry, {}, ModelKind::cp, {0.1, 0}, "margins"},
           Case{Unit::entry, {}, ModelKind::cp, {7, 0}, "margins"},
           Case{Unit::entry, {}, ModelKind::tucker, {1, 0}, "als"},
           Case{Unit::entry, {}, ModelKind::tucker, {10, 0}, "one-shot"},
           Case{Unit::entry, {}, ModelKind::tucker, {1, 0}, "one-shot", {2, 3, 2}},
           Case{Unit::entry, {}, ModelKind::tubal, {1, 0}, "one-shot"},
           Case{Unit::entry, Relation::add_remove, ModelKind::tubal, {1, delta}, "input"},
           Case{Unit::user, Relation::replace, ModelKind::tubal, {1, 0}, "input"},
           Case{Unit::entry, Relation::zero_out, ModelKind::cp, {1, delta}, "gradient"},
           Case{Unit::entry, Relation::add_remove, ModelKind::cp, {1, 0}, "input"},
           Case{Unit::user, {}, ModelKind::cp, {1, delta}, "als"},
           Case{Unit::user, {}, ModelKind::tucker, {1, delta}, "als"},
           Case{Unit::user, {}, ModelKind::tucker, {1, delta}, "gradient", {2, 3, 2}},
           Case{Unit::user, Relation::replace, ModelKind::cp, {1, 0}, "local"},
       }) {
    const Completion completion = run(chosen);
    EXPECT_TRUE(completion.remarks.front().starts_with(fmt::format("Chose method {}:", chosen.expected)))
        << completion.remarks.front();
    EXPECT_EQ(completion.guarantee.status, Guarantee::Status::proven);
    EXPECT_LE(completion.guarantee.used.epsilon, chosen.budget.epsilon * (1 + 1e-9));
  }
}

// Range 100:101: without an entry a sum lacks 100.5, but method input has noise for a width of 1.
TEST(Auto, RefusesZeroOutWithoutADeltaSinceNoMethodProtectsIt) {
  for (ModelKind model : {ModelKind::cp, ModelKind::tucker, ModelKind::tubal})
    EXPECT_THROW(run({Unit::entry, Relation::zero_out, model, {1, 0}, ""}), UsageError) << name(model);
}

// Whatever it picks is refused what the method itself is refused.
TEST(Auto, RunsNothingThatTheMethodItPicksWouldRefuse) {
  for (const Neighbours& neighbours : find_method("auto").protects)
    for (ModelKind model : {ModelKind::cp, ModelKind::tucker, ModelKind::tubal})
      for (const double delta : {0.0, 1e-4}) {
        try {
          const std::string remark =
              run({neighbours.unit, neighbours.relation, model, {1, delta}, ""}).remarks.front();
          const std::size_t begin = std::string_view("Chose method ").size();
          const Method& picked = find_method(remark.substr(begin, remark.find(':') - begin));
          EXPECT_EQ(relation_for(picked, neighbours.unit, neighbours.relation), neighbours.relation);
        } catch (const UsageError&) {
        }
      }
}

// Whoever rated what tells much of users and films; cells that are missing at random tell nothing.
TEST(Auto, TakesAlsWhereObservedCellsAreAChoice) {
  SparseTensor ratings(Shape{200, 200}, Unlisted::missing);
  Random random(1);
  for (Index user = 0; user < 200; ++user)
    for (Index film = 0; film < 200; ++film)
      if (random.uniform() < (user % 2 == film % 2 ? 0.12 : 0.01))
        ratings.append(std::vector<Index>{user, film}, static_cast<float>(random.uniform()));
  const auto picked = [](const SparseTensor& data) {
    return complete_privately(find_method("auto"), data, {.budget = {1, 0}, .range = {0, 1}, .seed = 1}, {},
                              {.ranks = {0}, .seed = 1})
        .remarks.front();
  };
  EXPECT_TRUE(picked(ratings).starts_with("Chose method als:")) << picked(ratings);
  const SparseTensor at_random = observe(DenseTensor(Shape{200, 200}), 0.06, 1);
  EXPECT_TRUE(picked(at_random).starts_with("Chose method margins:")) << picked(at_random);
}

TEST(Auto, SaysWhatUsersNeed) {
  EXPECT_THROW(run({Unit::user, {}, ModelKind::cp, {1, 0}, ""}), UsageError);
  EXPECT_THROW(run({Unit::user, {}, ModelKind::tubal, {1, 1e-4}, ""}), UsageError);
}

}  // namespace
}  // namespace tulle
