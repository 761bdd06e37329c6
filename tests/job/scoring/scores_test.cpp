#include <tulle/job/scores.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tulle {
namespace {

// Errors of -1 and 2: mean square 5 / 2, mean absolute 3 / 2.
TEST(Scores, AreOfTheDifferences) {
  const std::vector<float> values = {1, 3};
  const std::vector<double> predicted = {2, 1};
  const Scores scores = score(values, predicted);
  EXPECT_EQ(scores.cells, 2u);
  EXPECT_DOUBLE_EQ(scores.rmse, std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(scores.mae, 1.5);
  EXPECT_DOUBLE_EQ(scores.rse, std::sqrt(5.0 / 10));
}

// ln Poisson(1; 2) + ln Poisson(3; 0.001), whose rate is not below that; ln of Normal densities elsewhere.
TEST(Scores, HaveALikelihood) {
  const std::vector<float> counts = {1, 3}, others = {1, 2.5};
  EXPECT_NEAR(score(counts, std::vector<double>{2, -7}).log_likelihood(),
              std::log(2) - 2 + 3 * std::log(0.001) - 0.001 - std::log(6), 1e-9);
  EXPECT_NEAR(score(others, std::vector<double>{2, 2}).log_likelihood(),
              -0.5 - 0.125 - std::log(2 * std::numbers::pi), 1e-9);
}

// A model that says 3 everywhere, of cells 1 and 2.
TEST(Scores, AreOfPredictionsClampedToTheRange) {
  const Model model =
      Cp{Vector::Zero(1), {Matrix::Zero(1, 1), Matrix::Zero(2, 1)}, {.global = 3, .offsets = {}}};
  const SparseTensor test(Cells(Shape{1, 2}, {{0, 0}, {0, 1}}), {1, 2}, Unlisted::missing);
  EXPECT_DOUBLE_EQ(score(model, test).mae, 1.5);
  EXPECT_DOUBLE_EQ(score(model, test, Range{0, 2}).mae, 0.5);
}

TEST(Scores, InAReportAreTheOwnersAndNullWhereThereAreNone) {
  nlohmann::ordered_json with, without;
  OwnerFields owner_with, owner_without;
  add(Scores{4, 0.1, 0.2, 0.3}, with, owner_with);
  add(std::optional<Scores>(), without, owner_without);
  EXPECT_EQ(with.dump(), R"({"test_cells":4,"test_rmse":0.1,"test_mae":0.2,"test_rse":0.3})");
  EXPECT_EQ(without.dump(), R"({"test_cells":null,"test_rmse":null,"test_mae":null,"test_rse":null})");
  owner_with.mark(with);
  owner_without.mark(without);
  EXPECT_EQ(with["owner_only"], without["owner_only"]);
  EXPECT_EQ(with["owner_only"]["fields"].size(), 4u);
}

// Counts are mostly 0, and all held-out ones may be.
TEST(Scores, OfZerosHaveNoRelativeError) {
  const Scores zeros = score(std::vector<float>{0, 0}, std::vector<double>{1, 2});
  EXPECT_EQ(text(zeros), "RMSE 1.5811, MAE 1.5, relative error - % on 2 cells");
  nlohmann::ordered_json report;
  OwnerFields owner;
  add(zeros, report, owner);
  EXPECT_TRUE(report["test_rse"].is_null());
  EXPECT_DOUBLE_EQ(report["test_mae"].get<double>(), 1.5);
}

// No values and no predictions are an Error: no cell, one cell, what is no number or infinite, all equal.
TEST(Scores, AreMeasuredOfAnyCells) {
  const std::vector<std::pair<std::vector<float>, std::vector<double>>> cases = {
      {{}, {}},
      {{0}, {0}},
      {{1}, {std::nan("")}},
      {{1, 2}, {HUGE_VAL, -HUGE_VAL}},
      {{3, 3, 3}, {3, 3, 3}},
      {{HUGE_VALF, -HUGE_VALF}, {0, 1}},
      {{std::nanf(""), 1}, {0, 1}},
      {{-1, 0.5}, {1, 1}}};
  for (const auto& [values, predicted] : cases) {
    nlohmann::ordered_json report;
    OwnerFields owner;
    const Scores scores = score(values, predicted);
    add(scores, report, owner);
    for (const auto& [field, value] : report.items())
      EXPECT_TRUE(value.is_null() || std::isfinite(value.get<double>())) << field;
    EXPECT_EQ(text(scores).find("nan"), std::string::npos);
    EXPECT_NO_THROW(static_cast<void>(scores.log_likelihood()));
  }
}

// The model is paid for when its error is measured: what fails there is a note, not the end of the run.
TEST(Scores, ThatCannotBeMeasuredAreANoteForTheOwner) {
  std::vector<std::string> notes;
  EXPECT_EQ(measured_or<int>(
                7, [] { return 5; }, notes),
            5);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(measured_or<int>(
                7, []() -> int { throw std::bad_alloc(); }, notes),
            7);
  EXPECT_EQ(notes, (std::vector<std::string>{"The error was not measured: std::bad_alloc"}));
}

TEST(Scores, AsTextHaveARelativeErrorInPercent) {
  EXPECT_EQ(text(Scores{4, 0.123456, 0.2, 0.3}), "RMSE 0.12346, MAE 0.2, relative error 30 % on 4 cells");
}

}  // namespace
}  // namespace tulle
