#include "printed_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <cmath>
#include <numeric>

namespace tulle {
namespace {

void fill(std::span<double> numbers, double below, Random& random) {
  for (double& number : numbers) number = below * random.uniform();
}

Cp start_cp(const Shape& shape, int rank, Random& random) {
  Cp model{Vector::Ones(rank), {}, {}};
  const double mean = std::pow(0.5 / rank, 1.0 / shape.order());
  for (Index size : shape.dimensions()) {
    model.factors.emplace_back(size, rank);
    fill({model.factors.back().data(), static_cast<std::size_t>(model.factors.back().size())}, 2 * mean,
         random);
  }
  return model;
}

Tucker start_tucker(const Shape& shape, const std::vector<int>& ranks, Random& random) {
  Tucker model{DenseTensor(Shape(std::vector<std::uint64_t>(ranks.begin(), ranks.end()))), {}, {}};
  const double terms = static_cast<double>(model.core.size());
  const double mean = std::pow(0.5 / terms, 1.0 / (shape.order() + 1));
  for (int mode = 0; mode < shape.order(); ++mode) {
    model.factors.emplace_back(shape[mode], ranks[static_cast<std::size_t>(mode)]);
    fill({model.factors.back().data(), static_cast<std::size_t>(model.factors.back().size())}, 2 * mean,
         random);
  }
  fill(model.core.values(), 2 * mean, random);
  return model;
}

// All gradients are taken before any row moves: d/da_i = -2 (x - xhat) b_j c_k + 2 ridge a_i, and so on.
class CpStep {
 public:
  CpStep(Cp& model, const PrintedSgd& options)
      : model_(model), options_(options), others_(model.factors.size(), Vector(model.rank())) {}

  void visit(std::span<const Index> cell, double value) {
    const int order = static_cast<int>(model_.factors.size());
    double prediction = 0;
    for (int mode = 0; mode < order; ++mode) {
      others_[mode].setOnes();
      for (int other = 0; other < order; ++other)
        if (other != mode)
          others_[mode].array() *= model_.factors[other].row(cell[other]).transpose().array();
    }
    prediction = model_.factors[0].row(cell[0]).dot(others_[0]);
    const double error = value - prediction;
    for (int mode = 0; mode < order; ++mode) {
      auto row = model_.factors[mode].row(cell[mode]);
      row += 2 * options_.step * (error * others_[mode].transpose() - options_.ridge * row);
    }
  }

 private:
  Cp& model_;
  const PrintedSgd& options_;
  std::vector<Vector> others_;  // by mode: the product of the other modes' rows
};

class TuckerStep {
 public:
  TuckerStep(Tucker& model, const PrintedSgd& options) : model_(model), options_(options) {
    for (const Matrix& factor : model.factors) slopes_.push_back(Vector(factor.cols()));
    products_.resize(model.core.size());
  }

  void visit(std::span<const Index> cell, double value) {
    const double error = value - differentiate(cell);
    const double length = 2 * options_.step;
    for (std::size_t mode = 0; mode < slopes_.size(); ++mode) {
      auto row = model_.factors[mode].row(cell[mode]);
      row += length * (error * slopes_[mode].transpose() - options_.ridge * row);
    }
    const auto core = model_.core.values();
    for (std::size_t i = 0; i < core.size(); ++i)
      core[i] += length * (error * products_[i] - options_.core_ridge * core[i]);
  }

 private:
  // The prediction, its derivative with respect to every row, and the products of rows that the core's
  // numbers are multiplied with.
  double differentiate(std::span<const Index> cell) {
    const Shape& shape = model_.core.shape();
    double prediction = 0;
    for (Vector& slope : slopes_) slope.setZero();
    for (std::size_t at = 0; at < products_.size(); ++at) {
      std::array<double, kMaxOrder> numbers;
      std::array<std::size_t, kMaxOrder> column;
      double product = 1;
      for (int mode = 0; mode < shape.order(); ++mode) {
        column[mode] = at / shape.stride(mode) % shape[mode];
        numbers[mode] = model_.factors[mode](cell[mode], static_cast<Eigen::Index>(column[mode]));
        product *= numbers[mode];
      }
      products_[at] = product;
      prediction += model_.core.values()[at] * product;
      for (int mode = 0; mode < shape.order(); ++mode) {
        double rest = model_.core.values()[at];
        for (int other = 0; other < shape.order(); ++other)
          if (other != mode) rest *= numbers[other];
        slopes_[mode][static_cast<Eigen::Index>(column[mode])] += rest;
      }
    }
    return prediction;
  }

  Tucker& model_;
  const PrintedSgd& options_;
  std::vector<Vector> slopes_;
  std::vector<double> products_;
};

template <class Step>
void run_passes(const SparseTensor& cells, const PrintedSgd& options, Random& random, Step step) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int pass = 0; pass < options.passes; ++pass) {
    random.shuffle(std::span(order));
    for (std::size_t entry : order) step.visit(cells.cells().cell(entry), cells.values()[entry]);
  }
}

void check_finite(const Model& model, const SparseTensor& cells) {
  for (double value : predict(model, cells.cells()))
    if (!std::isfinite(value))
      fail("gradient descent as printed did not converge; give a smaller --learning-rate");
}

}  // namespace

Model printed_sgd(const SparseTensor& cells, const PrintedSgd& options) {
  const auto order = static_cast<std::size_t>(cells.order());
  std::vector<int> ranks = options.ranks;
  for (int rank : ranks)
    if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
  if (ranks.size() == 1 && options.model == "tucker") ranks.resize(order, ranks[0]);
  if (ranks.size() != (options.model == "cp" ? 1 : order))
    fail_usage("{} ranks for {} of {} modes; give one for all{}", ranks.size(), options.model, order,
               options.model == "cp" ? "" : ", or one a mode");
  Random random(options.seed);
  Model result;
  if (options.model == "cp") {
    Cp model = start_cp(cells.shape(), ranks[0], random);
    run_passes(cells, options, random, CpStep(model, options));
    result = std::move(model);
  } else {
    Tucker model = start_tucker(cells.shape(), ranks, random);
    run_passes(cells, options, random, TuckerStep(model, options));
    result = std::move(model);
  }
  check_finite(result, cells);
  return result;
}

}  // namespace tulle
