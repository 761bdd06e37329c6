#include <tulle/base/error.hpp>
#include <tulle/method/completion.hpp>
#include <tulle/method/method.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using enum FitOption;

TEST(FitOptions, AreGivenUnlessTheyAreLeftOpen) {
  FitOptions fit;
  EXPECT_TRUE(fit.given().empty());
  fit = {.ranks = {1},
         .biases = true,
         .solver = Solver::als,
         .ridge = 1,
         .start = Start::random,
         .max_iterations = 1,
         .tolerance = 0};
  EXPECT_EQ(fit.given(), (std::vector{rank, biases, solver, ridge, start, iterations, tolerance}));
  for (const FitOption option : kAllFitOptions) fit.leave_open(option);
  EXPECT_TRUE(fit.given().empty());
}

TEST(FitOptions, ThatAMethodDoesNotReadAreRefused) {
  const Method method{.name = "mean", .reads = {rank, ridge}, .published_reads = {{tolerance}}};
  EXPECT_NO_THROW(check_reads(method, Calibration::sound, {rank, ridge}));
  EXPECT_NO_THROW(check_reads(method, Calibration::published, {tolerance}));
  EXPECT_THROW(check_reads(method, Calibration::published, {rank}), UsageError);
  try {
    check_reads(method, Calibration::sound, {rank, iterations});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "method mean does not read FitOptions::max_iterations; omit it");
  }
  const Method alike{.name = "mean", .reads = {rank}};
  EXPECT_NO_THROW(check_reads(alike, Calibration::published, {rank}));
}

}  // namespace
}  // namespace tulle
