#include "method/private_run.hpp"

#include <tulle/base/random.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using testing::PrivateRun;
using testing::small_tensor;

SparseTensor data() {
  return observe(generate_cp(Shape{10, 9, 8}, 2, 3).noisy, 0.6, 4);
}

TEST(CompletePrivately, RefusesTermsBeforeItLooksAtTheData) {
  const auto refusal = [](auto change) {
    PrivateRun run{"als"};
    change(run);
    return run.refusal(small_tensor());
  };
  EXPECT_THAT(refusal([](PrivateRun& run) { run.terms.range = {1, 1}; }), HasSubstr("a range of 1:1"));
  EXPECT_THAT(refusal([](PrivateRun& run) {
                run.terms.range = {0, INFINITY};
              }),
              HasSubstr("a range of 0:inf"));
  EXPECT_THAT(refusal([](PrivateRun& run) { run.terms.relation = Relation::zero_out; }),
              HasSubstr("does not protect unit entry under zero-out"));
  EXPECT_THAT(refusal([](PrivateRun& run) {
                run.terms.unit = Unit::user;
                run.terms.user_mode = 3;
              }),
              HasSubstr("1 .. 3"));
  EXPECT_THAT(refusal([](PrivateRun& run) { run.fit.model = ModelKind::tubal; }),
              HasSubstr("has no model 'tubal'; it has: cp, tucker"));
  EXPECT_THAT(refusal([](PrivateRun& run) {
                run.fit.model = ModelKind::tubal;
                run.settings.set(setting::clip, 1);
              }),
              HasSubstr("has no model 'tubal'"));
}

// With delta 1/n a mechanism may publish one of n units whole.
TEST(CompletePrivately, RefusesADeltaThatIsNotBelowOneOverN) {
  const SparseTensor cells = data();
  PrivateRun run{"one-shot"};
  run.terms.budget.delta = 1.0 / static_cast<double>(cells.size());
  EXPECT_THAT(run.refusal(cells), HasSubstr("is not below 1/n"));
  run.terms.budget.delta *= 0.99;
  EXPECT_EQ(run.refusal(cells), "no error");
}

TEST(CompletePrivately, RefusesATensorWithoutCellsWherePositionsArePublic) {
  EXPECT_THAT(PrivateRun{"one-shot"}.refusal(SparseTensor(Shape{2, 2}, Unlisted::missing)),
              HasSubstr("no observed cell"));
}

TEST(CompletePrivately, SaysWhichMethodWasChosenAndWhy) {
  const Completion completion = PrivateRun{"auto"}(data());
  ASSERT_FALSE(completion.remarks.empty());
  EXPECT_THAT(completion.remarks.front(), HasSubstr("Chose method "));
}

// The ledger is asked once, before the first release, with what the whole run may cost.
TEST(CompletePrivately, PaysBeforeTheFirstRelease) {
  const PrivateRun run{"one-shot"};
  int paid = 0;
  complete_privately(find_method("one-shot"), data(), run.terms, run.settings, run.fit,
                     [&](const Curator& curator) {
                       ++paid;
                       EXPECT_TRUE(curator.guarantee().used.epsilon > 0);
                     });
  EXPECT_EQ(paid, 1);
  const auto refuse = [](const Curator&) { fail("the account is empty"); };
  EXPECT_THROW(complete_privately(find_method("one-shot"), data(), run.terms, run.settings, run.fit, refuse),
               Error);
}

TEST(CompletePrivately, EntriesAreBlankedUnderZeroOutAlone) {
  const PrivateRun run{"input"};
  const std::size_t blanked[] = {0};
  Terms terms = run.terms;
  Curator curator = open_curator(find_method("input"), terms, RandomBits::seeded(1));
  EXPECT_THROW(
      complete_privately(find_method("input"), data(), terms, run.settings, run.fit, curator, blanked),
      UsageError);
}

TEST(CompletePrivately, TheGuaranteeIsWithinTheBudget) {
  const Guarantee guarantee = PrivateRun{"one-shot"}(data()).guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
  EXPECT_LE(guarantee.used.epsilon, 1);
  EXPECT_GT(guarantee.used.epsilon, 1 - 1e-5);
}

// ---- Refusals come before the charge.

SparseTensor some_cells() {  // about half of a 5 x 4 x 3 tensor
  SparseTensor cells(Shape{5, 4, 3}, Unlisted::missing);
  Random random(1);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 4; ++j)
      for (Index k = 0; k < 3; ++k)
        if (random.uniform() < 0.5)
          cells.append(std::array<Index, 3>{i, j, k}, static_cast<float>(random.uniform()));
  return cells;
}

std::shared_ptr<const Model> model_of(std::initializer_list<int> sizes) {
  Cp model{Vector::Ones(2), {}, {}};
  for (int size : sizes) model.factors.push_back(Matrix::Constant(size, 2, 0.5));
  return std::make_shared<const Model>(model);
}

WarmStart cp_of(std::initializer_list<int> sizes) {
  return WarmStart::stated_public(model_of(sizes));
}

// What a user may ask for by mistake. Not every method refuses all of it.
std::vector<FitOptions> mistakes() {
  const auto rank_two = [] { return FitOptions{.ranks = {2}, .max_iterations = 3, .seed = 1}; };
  std::vector<FitOptions> all(23, rank_two());
  std::size_t next = 0;
  all[next++].ranks = {2, 2};
  all[next++].ranks = {2, 2, 2};
  all[next++].ranks = {2, 2, 2, 2};
  all[next++].ranks = {0};
  all[next++].ranks = {-1};
  all[next++].ranks = {};
  all[next++].ranks = {9};
  all[next++].ranks = {2, -1, 2};
  all[next++].biases = true;
  for (Solver solver : {Solver::als, Solver::sgd, Solver::admm, Solver::hooi, Solver::svd})
    all[next++].solver = solver;
  all[next++].ridge = -1;
  all[next++].ridge = std::numeric_limits<double>::quiet_NaN();
  all[next++].held = {0};
  all[next++].max_iterations = 0;
  all[next++].tolerance = -1;
  all[next++].from = cp_of({5, 4, 3});
  all[next].from = cp_of({5, 4, 3});
  all[next++].ranks = {};
  all[next].from = cp_of({5, 4, 2});
  all[next++].ranks = {};
  all[next].from = cp_of({5, 4, 3});
  all[next].held = {3};
  all[next++].ranks = {};
  return all;
}

struct Question {
  const Method& method;
  Neighbours neighbours;
  double delta = 1e-6;
  Settings settings;
  FitOptions fit;

  std::string text() const {
    return fmt::format("{}, {}, {} under {}, delta {}", method.name, name(fit.model), name(neighbours.unit),
                       name(neighbours.relation), delta);
  }
};

void expect_no_late_refusal(const Question& question, const std::string& what) {
  Terms terms{.budget = {1, question.delta},
              .unit = question.neighbours.unit,
              .relation = question.neighbours.relation,
              .range = {0, 1},
              .seed = 1,
              .shape = PublicShape{some_cells().shape()}};
  if (terms.unit == Unit::user) terms.user_mode = 0;
  bool charged = false;
  FitOptions fit = question.fit;
  if (!question.method.does_read(FitOption::iterations, Calibration::sound)) fit.max_iterations.reset();
  try {
    complete_privately(question.method, some_cells(), terms, question.settings, fit,
                       [&](const Curator&) { charged = true; });
  } catch (const Error& error) {
    EXPECT_FALSE(charged) << question.text() << ", " << what << ": " << error.what();
  }
}

// Every method, whom it protects, every model.
std::vector<Question> questions() {
  std::vector<Question> all;
  for (const Method& method : methods(Job::completion))
    for (const Neighbours& pair : method.protects)
      for (ModelKind model : {ModelKind::cp, ModelKind::tucker, ModelKind::tubal})
        all.push_back(
            {method, pair, 1e-6, {}, {.model = model, .ranks = {2}, .max_iterations = 3, .seed = 1}});
  return all;
}

TEST(CompletePrivately, RefusesFitsBeforeItIsCharged) {
  const std::vector<FitOptions> all = mistakes();
  for (Question question : questions())
    for (std::size_t mistake = 0; mistake < all.size(); ++mistake) {
      const ModelKind model = question.fit.model;
      question.fit = all[mistake];
      question.fit.model = model;
      expect_no_late_refusal(question, fmt::format("mistake {}", mistake));
    }
}

// With every option, in both forms: what a method does not read is refused, and nothing is charged.
TEST(CompletePrivately, RefusesOptionsThatTheMethodDoesNotRead) {
  const std::vector<std::pair<FitOption, FitOptions>> given = {{FitOption::rank, {.ranks = {1}}},
                                                               {FitOption::biases, {.biases = true}},
                                                               {FitOption::solver, {.solver = Solver::als}},
                                                               {FitOption::ridge, {.ridge = 0.5}},
                                                               {FitOption::start, {.start = Start::random}},
                                                               {FitOption::iterations, {.max_iterations = 3}},
                                                               {FitOption::tolerance, {.tolerance = 0.5}}};
  for (const Method& method : methods(Job::completion))
    for (const Calibration form : {Calibration::sound, Calibration::published}) {
      if (!method.has(form) || !method.is_private()) continue;
      for (const auto& [option, fit] : given) {
        const Neighbours neighbours = method.protects.front();
        const Terms terms{.budget = {1, 1e-6},
                          .unit = neighbours.unit,
                          .relation = neighbours.relation,
                          .range = {0, 1},
                          .calibration = form,
                          .seed = 1,
                          .shape = PublicShape{some_cells().shape()}};
        FitOptions asked = fit;
        asked.model = method.models.empty() ? ModelKind::cp : method.models.front();
        const std::string refused = testing::PrivateRun{method.name, terms, {}, asked}.refusal(some_cells());
        EXPECT_EQ(refused.find("does not read") == std::string::npos, method.does_read(option, form))
            << method.name << " " << name(option) << ": " << refused;
      }
    }
}

// What the method reads that is picked is not known beforehand.
TEST(CompletePrivately, AutoStatesWhatThePickedMethodDoesNotRead) {
  testing::PrivateRun run{"auto"};
  run.fit.ridge = 0.5;
  run.fit.biases = true;
  const Completion fit = run(testing::small_ratings());
  EXPECT_EQ(fit.remarks.front().find("Chose method margins: "), 0u);
  EXPECT_NE(fit.remarks.front().find(" It does not read biases, ridge."), std::string::npos);
  run.fit = {.ranks = {2}, .seed = 1};
  const Completion without = run(testing::small_ratings());
  EXPECT_EQ(without.remarks.front().find("does not read"), std::string::npos);
  EXPECT_TRUE(std::ranges::equal(reconstruct(fit.model).values(), reconstruct(without.model).values()));
}

TEST(CompletePrivately, RefusesSettingsBeforeItIsCharged) {
  for (Question question : questions())
    for (const MethodSetting& setting : question.method.settings)
      for (std::string text : {"-1", "0", "1", "7", "0.3", "1e-300", "1e300", "nan", "laplace", "gaussian",
                               "staircase", "piecewise", "duchi", "discrete-laplace"})
        for (double delta : {0.0, 1e-6}) {
          question.delta = delta;
          question.settings = {};
          try {
            question.settings.parse(setting, text);
          } catch (const UsageError&) {
            continue;
          }
          expect_no_late_refusal(question, fmt::format("{} {}", setting.name, text));
        }
}

// Whatever the seed: a few entries under much noise, or little, are no reason to stop.
TEST(CompletePrivately, AnswersOnVeryFewEntries) {
  for (const char* method : {"one-shot", "output", "als", "local", "input"})
    for (double epsilon : {1e-4, 1.0, 1e5})
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SparseTensor cells(Shape{3, 3, 2}, Unlisted::missing);
        for (Index i = 0; i < 3; ++i)
          cells.append(std::array<Index, 3>{i, i, i % 2}, static_cast<float>(i) / 2);
        const Terms terms{.budget = {epsilon, 1e-6}, .range = {0, 1}, .seed = seed};
        EXPECT_NO_THROW(complete_privately(find_method(method), std::move(cells), terms, {}, {.ranks = {2}}))
            << method << ", epsilon " << epsilon << ", seed " << seed;
      }
}

// ---- What is public is stated, and the guarantee says it.

Terms removal_of(Unit unit, std::optional<PublicShape> shape) {
  return {.budget = {5, 1e-6},
          .unit = unit,
          .relation = Relation::add_remove,
          .range = {0, 1},
          .seed = 1,
          .shape = std::move(shape)};
}

Completion completed(const Terms& terms) {
  return complete_privately(find_method("als"), some_cells(), terms, {}, {.ranks = {1}});
}

TEST(CompletePrivately, RefusesAShapeThatNobodyStatesWherePositionsArePrivate) {
  EXPECT_THROW(completed(removal_of(Unit::user, {})), UsageError);
  EXPECT_THROW(completed(removal_of(Unit::user, PublicShape{{5, 4}})), UsageError);
  EXPECT_NO_THROW(completed(removal_of(Unit::user, PublicShape{{5, 4, 3}})));
}

// The model has the stated shape, whichever positions the data use; the number of users stays private.
TEST(CompletePrivately, PutsTheDataIntoTheStatedShape) {
  EXPECT_EQ(shape(completed(removal_of(Unit::user, PublicShape{{99, 2, 6}})).model), Shape({1, 2, 6}));
}

TEST(CompletePrivately, EntriesBeyondTheStatedShapeDoNotCount) {
  SparseTensor inside(Shape{5, 2, 3}, Unlisted::missing);
  const SparseTensor all = some_cells();
  for (std::size_t entry = 0; entry < all.size(); ++entry)
    if (const auto cell = all.cells().cell(entry); cell[1] < 2)
      inside.append(std::span(cell).first(3), all.values()[entry]);
  const Terms terms = removal_of(Unit::user, PublicShape{{1, 2, 3}});
  const Completion alone = complete_privately(find_method("als"), inside, terms, {}, {.ranks = {1}});
  EXPECT_EQ(reconstruct(completed(terms).model), reconstruct(alone.model));
}

TEST(CompletePrivately, TheGuaranteeNamesTheModeAndWhatIsPublic) {
  EXPECT_THAT(sentence(completed(removal_of(Unit::user, PublicShape{{1, 4, 3}})).guarantee),
              HasSubstr("any one user of mode mode1 under add-remove, jointly (each user's own row is for "
                        "that user alone); public: the size of mode mode2 (the owner's word), the size of "
                        "mode mode3 (the owner's word)"));
  Terms terms{.budget = {1, 0}, .range = {0, 1}, .scope = {.public_facts = {"the season"}}};
  EXPECT_THAT(sentence(completed(terms).guarantee),
              HasSubstr("; public: which cells are observed, and their labels, the season"));
}

TEST(CompletePrivately, StartsFromAModelOfWhichTheOwnerSaysWhyItMay) {
  const auto from = [](WarmStart start) {
    return complete_privately(find_method("one-shot"), some_cells(), {.budget = {1, 0}, .range = {0, 1}}, {},
                              {.from = std::move(start), .held = {1}})
        .guarantee;
  };
  EXPECT_THROW(from(model_of({5, 4, 3})), UsageError) << "nothing is known of it";
  EXPECT_EQ(from(cp_of({5, 4, 3})).source, "a model that is public (the owner's word)");
}

TEST(CompletePrivately, RangesLeaveRoomForNoise) {
  const auto run = [](double bound, double epsilon) {
    return testing::PrivateRun{.method = "input",
                               .terms = {.budget = {epsilon, 0}, .range = {-bound, bound}, .seed = 1}}
        .refusal(some_cells());
  };
  EXPECT_NE(run(3e38, 1).find("single precision"), std::string::npos);
  EXPECT_EQ(run(1e30, 1e-9), "no error");
}

}  // namespace
}  // namespace tulle
