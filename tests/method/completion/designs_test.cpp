// Designed experiments: which cells are observed follows from a rule, and values may be all the same.
#include "method/private_run.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tulle {
namespace {

using testing::PrivateRun;
using Rule = std::function<bool(std::span<const Index> cell)>;  // whether the cell is observed

struct Design {
  std::string name;
  Shape shape;
  Rule observed;
};

// Every position of the first mode is combined with those of its own group in the other modes.
Rule groups(const Shape& shape, Index count) {
  return [shape, count](std::span<const Index> cell) {
    const auto group = [&](int mode) { return cell[mode] * count / shape[mode]; };
    for (int mode = 1; mode < shape.order(); ++mode)
      if (group(mode) != group(0)) return false;
    return true;
  };
}

bool checkerboard(std::span<const Index> cell) {
  Index sum = 0;
  for (const Index position : cell) sum += position;
  return sum % 2 == 0;
}

bool crossed(std::span<const Index>) {
  return true;
}

std::vector<Design> designs() {
  std::vector<Design> all;
  // Of which sign rounding makes the features of groups differs from size to size.
  for (const Shape& shape :
       {Shape{60, 40}, Shape{100, 30}, Shape{50, 50}, Shape{20, 20}, Shape{40, 10}, Shape{16, 12, 8}}) {
    all.push_back({"halves " + shape.text(), shape, groups(shape, 2)});
    all.push_back({"checkerboard " + shape.text(), shape, checkerboard});
  }
  for (const Shape& shape : {Shape{60, 40}, Shape{16, 12, 8}}) {
    all.push_back({"quarters " + shape.text(), shape, groups(shape, 4)});
    all.push_back({"fully crossed " + shape.text(), shape, crossed});
  }
  all.push_back({"unequal groups", Shape{30, 20}, [](auto cell) { return (cell[0] < 10) == (cell[1] < 5); }});
  all.push_back({"groups of nearly one size", Shape{61, 41}, groups(Shape{61, 41}, 2)});
  all.push_back({"diagonal", Shape{30, 30}, [](auto cell) { return cell[0] == cell[1]; }});
  all.push_back(
      {"a row and a column", Shape{30, 20}, [](auto cell) { return cell[0] == 0 || cell[1] == 0; }});
  all.push_back(
      {"Latin square", Shape{12, 12, 12}, [](auto cell) { return (cell[0] + cell[1]) % 12 == cell[2]; }});
  for (const Shape& shape : {Shape{30, 1}, Shape{1, 30}, Shape{1, 1}, Shape{20, 1, 1}})
    all.push_back({"one column " + shape.text(), shape, crossed});
  return all;
}

using Value = std::function<double(std::span<const Index> cell)>;

SparseTensor observe(const Design& design, const Value& value) {
  SparseTensor observed(design.shape, Unlisted::missing);
  std::vector<Index> cell(static_cast<std::size_t>(design.shape.order()));
  for (std::size_t offset = 0; offset < design.shape.cells(); ++offset) {
    for (int mode = 0; mode < design.shape.order(); ++mode)
      cell[static_cast<std::size_t>(mode)] =
          static_cast<Index>(offset / design.shape.stride(mode) % design.shape[mode]);
    if (design.observed(cell)) observed.append(cell, static_cast<float>(value(cell)));
  }
  return observed;
}

// Offsets of the positions and one of the first half of the users, from 0 to 1.
Value offsets_of(const Design& design) {
  return [shape = design.shape](std::span<const Index> cell) {
    double value = 2 * cell[0] < shape[0] ? 0.3 : 0;
    for (int mode = 0; mode < shape.order(); ++mode) value += (cell[mode] * 7 % 5) * 0.15 / shape.order();
    return value;
  };
}

struct Errors {
  double of_model, of_mean;  // root mean squares over the observed cells
};

Errors errors(const Model& model, const SparseTensor& observed) {
  const std::vector<double> predicted = predict(model, observed.cells());
  const auto count = static_cast<double>(observed.size());
  double mean = 0, squares = 0, deviations = 0;
  for (const float value : observed.values()) mean += value / count;
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    squares += std::pow(predicted[cell] - observed.values()[cell], 2);
    deviations += std::pow(mean - observed.values()[cell], 2);
  }
  return {std::sqrt(squares / count), std::sqrt(deviations / count)};
}

// The data change by steps of 0.15 and more. At epsilon 50 the noise of a row of 6 cells or more is far below
// that; a position of one cell says no more than its own noise, of 1 / 50 of the range.
TEST(Designs, AlsForEntriesIsNoWorseThanTheMean) {
  for (const Design& design : designs()) {
    PrivateRun run{"als"};
    run.terms.budget.epsilon = 50;
    if (design.shape.cells() <= 30) run.fit.ranks = {1};
    for (const double delta : {0.0, 1e-6}) {
      run.terms.budget.delta = delta;
      const SparseTensor observed = observe(design, offsets_of(design));
      const auto [of_model, of_mean] = errors(run(observed).model, observed);
      EXPECT_LT(of_model, of_mean + 0.02) << design.name << ", delta " << delta;
    }
  }
}

TEST(Designs, ConstantDataAreCompletedByTheConstant) {
  for (const Design& design : designs()) {
    if (design.shape.cells() <= 30) continue;
    PrivateRun run{"als"};
    run.terms.budget.epsilon = 50;
    for (const double constant : {0.0, 0.5, 1.0}) {
      const SparseTensor observed = observe(design, [&](auto) { return constant; });
      EXPECT_LT(errors(run(observed).model, observed).of_model, 0.1) << design.name << ", " << constant;
    }
  }
}

// ---- Every method ----

// Cells by a random rule, each of two modes or three: groups, every so many, a triangle, rows that are empty.
Design random_design(Random& random) {
  std::vector<std::uint64_t> sizes(2 + random.below(2));
  for (std::uint64_t& size : sizes) size = random.chance(0.15) ? 1 : 2 + random.below(11);
  const Shape shape(sizes);
  const Index step = static_cast<Index>(2 + random.below(3)), group = static_cast<Index>(1 + random.below(4));
  const Rule rules[] = {crossed,
                        groups(shape, group),
                        [=](auto cell) { return (cell[0] + cell[1]) % step == 0; },
                        [=](auto cell) { return cell[0] % step == cell[1] % step; },
                        [=](auto cell) { return cell[0] <= cell[1]; },
                        [=](auto cell) { return cell[0] % step == 0; },
                        [=](auto cell) { return cell[0] == 0 || cell[1] == 0; }};
  return {"random " + shape.text(), shape, rules[random.below(std::size(rules))]};
}

Value random_value(Random& random) {
  const std::uint64_t kind = random.below(4);
  if (kind == 0) return [](auto) { return 0; };
  if (kind == 1) return [](auto) { return 1; };
  if (kind == 2) return [](auto cell) { return cell[0] % 2; };
  return [](auto cell) { return (cell[0] * 7 + cell[1] * 3) % 5 / 4.0; };
}

PrivateRun random_run(const Method& method, const Neighbours& neighbours, Calibration form, Random& random) {
  PrivateRun run{method.name};
  run.terms.budget = {random.chance(0.5) ? 1.0 : 20.0, random.chance(0.5) || method.needs_delta ? 1e-6 : 0};
  run.terms.unit = neighbours.unit;
  run.terms.relation = neighbours.relation;
  run.terms.calibration = form;
  run.terms.seed = random.below(1000);
  const std::vector<ModelKind> models =
      method.models.empty() ? std::vector{ModelKind::cp, ModelKind::tucker, ModelKind::tubal} : method.models;
  run.fit.model = models[random.below(models.size())];
  run.fit.ranks = {1 + static_cast<int>(random.below(2))};
  if (method.name == "ops") run.fit.ranks = {0};  // means alone have an exact posterior
  if (run.fit.model != ModelKind::tubal && method.does_read(FitOption::iterations, form))
    run.fit.max_iterations = 2;
  return run;
}

// A UsageError says what the method does not take, whatever the values are. Steps that grow without bound may
// stop gradient and dp-sgld (docs/limitations.md); nothing else ends a run.
RC_GTEST_PROP(Designs, EndNoMethodWithAnError, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const auto& all = methods(Job::completion);
  const Method& method = all[random.below(all.size())];
  const auto form = random.chance(0.8) ? Calibration::sound : Calibration::published;
  RC_PRE(method.has(form) && method.is_private());
  const Neighbours& neighbours = method.protects[random.below(method.protects.size())];
  const Design design = random_design(random);
  const PrivateRun run = random_run(method, neighbours, form, random);
  const SparseTensor observed = observe(design, random_value(random));
  RC_PRE(observed.size() > 0);
  try {
    run(observed);
  } catch (const UsageError&) {
  } catch (const Error& error) {
    const bool steps = method.name == "gradient" || method.name == "dp-sgld";
    if (!steps || std::string_view(error.what()).find("finite numbers") == std::string_view::npos)
      RC_FAIL(method.name + " on " + design.name + ": " + error.what());
  }
}

}  // namespace
}  // namespace tulle
