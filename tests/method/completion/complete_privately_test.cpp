#include "../private_run.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

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

std::shared_ptr<const Model> cp_of(std::initializer_list<int> sizes) {
  Cp model{Vector::Ones(2), {}, {}};
  for (int size : sizes) model.factors.push_back(Matrix::Constant(size, 2, 0.5));
  return std::make_shared<const Model>(model);
}

// What a user may ask for by mistake. Not every method refuses all of it.
std::vector<FitOptions> mistakes() {
  const auto rank_two = [] { return FitOptions{.ranks = {2}, .max_iterations = 3, .seed = 1}; };
  std::vector<FitOptions> all(21, rank_two());
  std::size_t next = 0;
  all[next++].ranks = {2, 2};
  all[next++].ranks = {2, 2, 2};
  all[next++].ranks = {2, 2, 2, 2};
  all[next++].ranks = {0};
  all[next++].ranks = {-1};
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
              .seed = 1};
  if (terms.unit == Unit::user) terms.user_mode = 0;
  bool charged = false;
  try {
    complete_privately(question.method, some_cells(), terms, question.settings, question.fit,
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

}  // namespace
}  // namespace tulle
