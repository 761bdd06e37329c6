#include "tensor/tubal/tubes_sample.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/tubal/admm.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tulle {
namespace {

DenseTensor random_tensor(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  DenseTensor tensor(shape);
  for (double& value : tensor.values()) value = random.normal();
  return tensor;
}

DenseTensor low_rank(const Shape& shape, std::uint64_t rank, double level = 0) {
  DenseTensor tensor =
      t_product(random_tensor(shape.with(1, rank), 1), random_tensor(shape.with(0, rank), 2));
  for (double& value : tensor.values()) value += level;
  return tensor;
}

double mean_of(const SparseTensor& data) {
  return std::accumulate(data.values().begin(), data.values().end(), 0.0) / static_cast<double>(data.size());
}

struct Split {
  SparseTensor observed, hidden;
};

Split sample(const DenseTensor& tensor, double share, double noise = 0) {
  Random random(3);
  Split split{{tensor.shape(), Unlisted::missing}, {tensor.shape(), Unlisted::missing}};
  const Shape& shape = tensor.shape();
  for (std::size_t place = 0; place < tensor.size(); ++place) {
    std::vector<Index> cell;
    for (int mode = 0; mode < shape.order(); ++mode)
      cell.push_back(static_cast<Index>(place / shape.stride(mode) % shape[mode]));
    const bool seen = random.chance(share);
    (seen ? split.observed : split.hidden)
        .append(cell, static_cast<float>(tensor.values()[place] + (seen ? noise * random.normal() : 0)));
  }
  return split;
}

double relative_error(const Tubal& model, const DenseTensor& truth) {
  const DenseTensor found = model.reconstruct();
  double error = 0, square = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    error += std::pow(found.values()[i] - truth.values()[i], 2);
    square += std::pow(truth.values()[i], 2);
  }
  return std::sqrt(error / square);
}

TubalAdmmOptions options(int iterations, double tolerance = 0) {
  TubalAdmmOptions result;
  result.control.max_iterations = iterations;
  result.control.tolerance = tolerance;
  return result;
}

TEST(CompleteTubal, RecoversALowRankTensor) {
  const DenseTensor truth = low_rank({40, 30, 5}, 1);
  const auto fit = complete_tubal(sample(truth, 0.5).observed, options(300, 1e-6));
  EXPECT_TRUE(fit.converged);
  EXPECT_LT(relative_error(fit.model, truth), 1e-4);
  EXPECT_EQ(fit.model.rank(), 1);
  check(fit.model);
}

TEST(CompleteTubal, RecoversAFourWayTensorWithALevel) {
  const DenseTensor truth = low_rank({24, 30, 3, 4}, 1, 20);
  for (bool centre : {false, true}) {
    TubalAdmmOptions request = options(300, 1e-5);
    request.centre = centre;
    const auto fit = complete_tubal(sample(truth, 0.6).observed, request);
    EXPECT_EQ(fit.model.biases.empty(), !centre);
    EXPECT_LT(relative_error(fit.model, truth), 1e-3);
  }
}

// The iterates against the textbook, with all of X, Z and U held.
TEST(CompleteTubal, IsTheAdmmOfThePaper) {
  const DenseTensor truth = low_rank({9, 8, 4}, 2, 1);
  const auto data = sample(truth, 0.6).observed;
  for (double lambda : {0.0, 0.7}) {
    TubalAdmmOptions request = options(6);
    request.rho = 0.2;
    request.lambda = lambda;
    const auto fit = complete_tubal(data, request);

    DenseTensor x(truth.shape()), z = x, u = x;
    for (double& value : z.values()) value = mean_of(data);
    for (int iteration = 0; iteration < 6; ++iteration) {
      for (std::size_t i = 0; i < x.size(); ++i) x.values()[i] = z.values()[i] - u.values()[i];
      for (std::size_t entry = 0; entry < data.size(); ++entry) {
        const auto cell = data.cells().cell(entry);
        double& value = x[std::span(cell).first(3)];
        value = lambda > 0 ? (data.values()[entry] + request.rho * value) / (1 + request.rho)
                           : data.values()[entry];
      }
      for (std::size_t i = 0; i < x.size(); ++i) u.values()[i] += x.values()[i];
      z = samples::shrink_tubal(u, (lambda > 0 ? lambda : 1) / request.rho);
      for (std::size_t i = 0; i < x.size(); ++i) u.values()[i] -= z.values()[i];
    }
    EXPECT_LT(relative_error(fit.model, z), 1e-12);
    double misfit = 0;
    for (std::size_t entry = 0; entry < data.size(); ++entry) {
      const auto cell = data.cells().cell(entry);
      misfit += std::pow(z[std::span(cell).first(3)] - data.values()[entry], 2);
    }
    const double norm = samples::tubal_nuclear_norm(z);
    EXPECT_NEAR(fit.history.back().objective, lambda > 0 ? misfit / 2 + lambda * norm : norm, 1e-10 * norm);
  }
}

// At the optimum of the penalised problem with every cell observed, the answer is the prox of the data
// itself.
TEST(CompleteTubal, PenalisedSolutionWithoutMissingCellsIsTheProx) {
  const DenseTensor data = low_rank({10, 12, 4}, 3);
  TubalAdmmOptions request = options(500, 1e-10);
  request.lambda = 3;
  const auto fit = complete_tubal(sample(data, 1).observed, request);
  EXPECT_LT(relative_error(fit.model, samples::shrink_tubal(data, 3)),
            1e-6);  // the data went through float32
}

// A cell of weight w counts like w cells of weight 1; and all weights alike are a smaller penalty.
TEST(CompleteTubal, WeightsAreThoseOfTheSquaredError) {
  const DenseTensor truth = low_rank({10, 12, 4}, 2);
  const SparseTensor data = sample(truth, 0.7, 0.5).observed;
  const std::vector<double> fours(data.size(), 4.0);
  TubalAdmmOptions request = options(400, 1e-9);
  request.lambda = 2;
  const auto plain = complete_tubal(data, request);
  request.lambda = 8;
  request.weights = fours;
  EXPECT_LT(relative_error(complete_tubal(data, request).model, plain.model.reconstruct()), 1e-5);

  std::vector<double> uneven(data.size(), 1e-6);  // as good as missing
  std::fill(uneven.begin(), uneven.begin() + static_cast<std::ptrdiff_t>(data.size() / 2), 1.0);
  std::vector<std::size_t> half(data.size() / 2);
  std::iota(half.begin(), half.end(), std::size_t{0});
  request.lambda = 2;
  request.weights = uneven;
  const auto weighed = complete_tubal(data, request);
  request.weights = {};
  const auto without = complete_tubal(data.select(half), request);
  EXPECT_LT(relative_error(weighed.model, without.model.reconstruct()), 1e-3);
}

TEST(CompleteTubal, PenaltyHelpsWithNoise) {
  const DenseTensor truth = low_rank({40, 40, 6}, 2);
  const double noise = 3;
  const auto data = sample(truth, 0.5, noise).observed;
  TubalAdmmOptions request = options(60);
  const double exact = relative_error(complete_tubal(data, request).model, truth);
  request.lambda = noise * std::sqrt(0.5 * 6) * 2 * std::sqrt(40);
  const double penalised = relative_error(complete_tubal(data, request).model, truth);
  EXPECT_LT(penalised, 0.85 * exact);
}

TEST(CompleteTubal, ChangeNeverGrowsAndEndsTheFit) {
  const auto data = sample(low_rank({20, 20, 5}, 1), 0.6).observed;
  for (double lambda : {0.0, 5.0}) {
    TubalAdmmOptions request = options(200, 1e-4);
    request.lambda = lambda;
    const auto fit = complete_tubal(data, request);
    EXPECT_TRUE(fit.converged);
    EXPECT_LT(fit.history.back().change, 1e-4);
    for (std::size_t i = 1; i < fit.history.size(); ++i)
      EXPECT_LE(fit.history[i].change, fit.history[i - 1].change * (1 + 1e-9)) << i;
  }
}

TEST(CompleteTubal, UnitsOfMeasurementDoNotMatter) {
  const DenseTensor truth = low_rank({15, 12, 4}, 2);
  auto data = sample(truth, 0.6).observed;
  const auto fit = complete_tubal(data, options(10));
  for (float& value : data.values()) value *= 1024;
  const auto scaled = complete_tubal(data, options(10));
  for (std::size_t i = 0; i < fit.model.s.size(); ++i)
    EXPECT_NEAR(scaled.model.s.values()[i], 1024 * fit.model.s.values()[i], 1e-8);
  EXPECT_NEAR(scaled.history.back().change, fit.history.back().change, 1e-12);
}

TEST(CompleteTubal, ReportsTheValidationErrorOfItsModel) {
  const Split split = sample(low_rank({20, 25, 4}, 2, 5), 0.6);
  TubalAdmmOptions request = options(7);
  request.validation = &split.hidden;
  const auto fit = complete_tubal(split.observed, request);
  const auto predicted = fit.model.predict(split.hidden.cells());
  double square = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    square += std::pow(predicted[i] - split.hidden.values()[i], 2);
  EXPECT_NEAR(fit.history.back().validation_rmse, std::sqrt(square / static_cast<double>(predicted.size())),
              1e-9);
  EXPECT_EQ(fit.history.size(), 7u);
  EXPECT_FALSE(fit.converged);
}

TEST(CompleteTubal, ObserverStopsTheFit) {
  TubalAdmmOptions request = options(50);
  request.control.observer = [](const Iteration& iteration) { return iteration.number < 3; };
  EXPECT_EQ(complete_tubal(sample(low_rank({10, 10, 3}, 1), 0.5).observed, request).history.size(), 3u);
}

TEST(CompleteTubal, KeepsToTheRankLimit) {
  TubalAdmmOptions request = options(20);
  request.max_rank = 2;
  const DenseTensor truth = low_rank({30, 30, 4}, 2);
  const auto fit = complete_tubal(sample(truth, 0.5).observed, request);
  EXPECT_EQ(fit.model.rank(), 2);
}

TEST(CompleteTubal, RisingPenaltyConvergesToo) {
  const DenseTensor truth = low_rank({40, 30, 5}, 1);
  TubalAdmmOptions request = options(100);
  request.rho_growth = 1.05;
  EXPECT_LT(relative_error(complete_tubal(sample(truth, 0.5).observed, request).model, truth), 1e-4);
}

TEST(CompleteTubal, ConstantDataAreTheirMean) {
  SparseTensor data(Shape{3, 3, 3}, Unlisted::missing);
  for (Index i = 0; i < 3; ++i) data.append(std::vector<Index>{i, i, 0}, 4);
  TubalAdmmOptions request;
  request.centre = true;
  const auto fit = complete_tubal(data, request);
  EXPECT_TRUE(fit.converged);
  const DenseTensor found = fit.model.reconstruct();
  for (double value : found.values()) EXPECT_DOUBLE_EQ(value, 4);
}

TEST(CompleteTubal, CellsListedTwiceCountAsTheirMean) {
  auto once = sample(low_rank({8, 8, 3}, 1), 0.7).observed, twice = once;
  const auto cell = once.cells().cell(5);
  const float value = once.values()[5];
  twice.values()[5] = value + 1;
  twice.append(std::span(cell).first(3), value - 1);
  EXPECT_LT(relative_error(complete_tubal(twice, options(5)).model,
                           complete_tubal(once, options(5)).model.reconstruct()),
            1e-6);
}

TEST(CompleteTubal, DoesNotDependOnThreads) {
  const auto data = sample(low_rank({30, 25, 7}, 2), 0.5).observed;
  const int before = threads();
  set_threads(1);
  const auto expected = complete_tubal(data, options(5));
  for (int count : {2, 3}) {
    set_threads(count);
    const auto fit = complete_tubal(data, options(5));
    EXPECT_EQ(fit.model.u, expected.model.u);
    EXPECT_EQ(fit.model.s, expected.model.s);
    EXPECT_EQ(fit.history.back().objective, expected.history.back().objective);
  }
  set_threads(before);
}

std::string error_of(const SparseTensor& data, const TubalAdmmOptions& request = {}) {
  try {
    complete_tubal(data, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(CompleteTubal, RefusesBadInput) {
  EXPECT_EQ(error_of(SparseTensor(Shape{3, 4}, Unlisted::missing)),
            "a tubal model needs 3 modes or more, but this is a 3x4 matrix; use a cp model for matrices");
  EXPECT_EQ(error_of(SparseTensor(Shape{3, 4, 5}, Unlisted::missing)),
            "no cell of this 3x4x5 tensor is observed; there is nothing to complete from");
  EXPECT_EQ(error_of(SparseTensor(Shape{3, 4, 5}, Unlisted::zero)),
            "unlisted cells of this tensor are zeros, so no cell is missing; read it with missing semantics "
            "to complete it");
  SparseTensor data(Shape{3, 4, 5}, Unlisted::missing);
  data.append(std::vector<Index>{0, 1, 2}, std::numeric_limits<float>::infinity());
  EXPECT_EQ(error_of(data), "the value inf of cell (1, 2, 3) is not finite");
  data.values()[0] = 1;
  TubalAdmmOptions request;
  const double zero[] = {0};
  request.weights = zero;
  EXPECT_EQ(error_of(data, request), "weights need lambda above 0: with lambda 0 the data are met exactly");
  request.lambda = 1;
  EXPECT_EQ(error_of(data, request), "weight 0: give positive numbers");
  request = {};
  request.rho = -1;
  EXPECT_EQ(error_of(data, request), "rho -1: give a positive number, or 0 to have it chosen");
  request = {};
  const SparseTensor other(Shape{3, 4, 6}, Unlisted::missing);
  request.validation = &other;
  EXPECT_EQ(error_of(data, request), "the validation data are 3x4x6, the observed data 3x4x5");
}

}  // namespace
}  // namespace tulle
