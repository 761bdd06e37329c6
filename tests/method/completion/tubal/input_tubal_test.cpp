#include "method/private_run.hpp"

#include <tulle/tensor/slice.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

testing::PrivateRun input(Calibration calibration, double epsilon) {
  testing::PrivateRun run{.method = "input"};
  run.terms.budget = {epsilon, 0};
  run.terms.range = {0, 100};
  run.terms.calibration = calibration;
  run.settings.set(setting::noise, NoiseKind::laplace);
  run.fit = {.model = ModelKind::tubal, .seed = 1};
  return run;
}

// Ones, but for one entry.
SparseTensor ones_and(float value) {
  SparseTensor data = observe(DenseTensor(Shape{6, 5, 4}, std::vector<double>(120, 1.0)), 0.8, 1);
  data.values()[0] = value;
  return data;
}

std::vector<double> at_entries(const Completion& completion, const SparseTensor& data) {
  return predict(completion.model, data.cells());
}

TEST(InputTubal, MeetsTheReleasedCells) {
  const SparseTensor data = observe(generate_cp(Shape{12, 10, 6}, 2, 1, 10).noisy, 0.6, 1);
  testing::PrivateRun run = input(Calibration::sound, 1e6);
  run.terms.range = {-1, 2};
  const Completion fit = run(data);
  EXPECT_EQ(fit.history.size(), 40u);
  const std::vector<double> found = at_entries(fit, data);
  for (std::size_t i = 0; i < data.size(); ++i) ASSERT_NEAR(found[i], data.values()[i], 1e-4);
}

TEST(InputTubal, NoiseIsThatOfThePaperOrOfThePublicRange) {
  const auto deviation = [](Calibration calibration) {
    return input(calibration, 2)(ones_and(1)).guarantee.releases.at(0).deviation;
  };
  EXPECT_NEAR(deviation(Calibration::sound), std::sqrt(2) * 100 / 2, 1e-3);
  EXPECT_NEAR(deviation(Calibration::published), std::sqrt(2) * 2 / 2, 1e-5)
      << "of values over their maximum";
}

// The flaw of dai2026: with the same noise, neighbours that differ in the largest entry of a slice come out
// different in every entry of it, by far more than one entry's worth, while the noise hides one entry only.
TEST(InputTubalAsPublished, TheMaximumOfASliceMovesAllOfIt) {
  const SparseTensor small = ones_and(1), large = ones_and(100);
  const auto moved_entries = [&](Calibration calibration) {
    const testing::PrivateRun run = input(calibration, 1);
    const std::vector<double> one = at_entries(run(small), small), other = at_entries(run(large), large);
    int moved = 0;
    for (std::size_t i = 0; i < one.size(); ++i) moved += std::abs(one[i] - other[i]) > 1e-3;
    return moved;
  };
  int in_slice = 0;
  for (std::size_t i = 0; i < small.size(); ++i) in_slice += small.cells()(i, 2) == small.cells()(0, 2);
  EXPECT_EQ(moved_entries(Calibration::published), in_slice);
  EXPECT_GT(in_slice, 10);
  EXPECT_EQ(moved_entries(Calibration::sound), 1);
}

// Undoing the division multiplies the noise by the maximum: an outsider who sees how wild a slice is knows
// the maximum, at any epsilon.
TEST(InputTubalAsPublished, GivesTheMaximumAway) {
  const auto spread = [](Calibration calibration, float value) {
    const SparseTensor data = ones_and(value);
    const DenseTensor all = slice(reconstruct(input(calibration, 0.1)(data).model), 2, data.cells()(0, 2));
    double squares = 0;
    for (double cell : all.values()) squares += cell * cell;
    return std::sqrt(squares);
  };
  EXPECT_NEAR(spread(Calibration::published, 100) / spread(Calibration::published, 1), 100, 10);
  EXPECT_NEAR(spread(Calibration::sound, 100) / spread(Calibration::sound, 1), 1, 0.1);
}

TEST(InputTubalAsPublished, SaysThatNothingIsProven) {
  const Guarantee guarantee = input(Calibration::published, 1)(ones_and(1)).guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::claimed);
  EXPECT_NE(guarantee.remark.find("largest value"), std::string::npos);
}

TEST(InputTubal, RefusesWhatThePaperDoesNotHave) {
  testing::PrivateRun run = input(Calibration::published, 1);
  run.settings.set(setting::noise, NoiseKind::staircase);
  EXPECT_EQ(run.refusal(ones_and(1)), "dai2026 has laplace noise; omit noise");
  run = input(Calibration::published, 1);
  run.terms.unit = Unit::user;
  EXPECT_EQ(run.refusal(ones_and(1)), "dai2026 protects unit entry under replace; omit unit and relation");
  run = input(Calibration::sound, 1);
  SparseTensor matrix(Shape{3, 4}, Unlisted::missing);
  matrix.append(std::array<Index, 2>{0, 0}, 1);
  EXPECT_EQ(run.refusal(matrix),
            "a tubal model needs 3 modes or more, but this is a 3x4 matrix; use a cp model for matrices");
}

}  // namespace
}  // namespace tulle
