#include "draw.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/gamma.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/scaling.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

void fill_normal(std::span<double> values, Random& random) {
  for (double& value : values) value = random.normal();
}

Matrix normal_matrix(Index rows, Index columns, Random& random) {
  Matrix result(rows, columns);
  fill_normal({result.data(), static_cast<std::size_t>(result.size())}, random);
  return result;
}

DenseTensor normal_tensor(const Shape& shape, Random& random) {
  DenseTensor result(shape);
  fill_normal(result.values(), random);
  return result;
}

void check_rank(int rank) {
  if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
}

double variance(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (double value : values) squares += (value - mean) * (value - mean);
  return squares / count;
}

Synthetic with_noise(DenseTensor truth, double snr, std::uint64_t seed) {
  if (!(snr > 0)) fail_usage("signal-to-noise ratio {}: give a number above 0", snr);
  DenseTensor noisy = truth;
  if (snr != kNoiseless) add_noise(noisy.values(), std::sqrt(variance(truth.values()) / snr), seed);
  return {std::move(truth), std::move(noisy)};
}

DenseTensor scaled_to_unit(DenseTensor tensor) {
  min_max(tensor.values()).scale(tensor.values());
  return tensor;
}

// y[.., i, ..] = sum_p matrix[i,p] x[.., p, ..] in the given mode.
DenseTensor multiply_mode(const DenseTensor& x, int mode, const Matrix& matrix) {
  DenseTensor y(x.shape().with(mode, static_cast<std::uint64_t>(matrix.rows())));
  const std::size_t inner = x.shape().stride(mode), from = matrix.cols(), to = matrix.rows();
  const std::size_t outer = x.size() / (inner * from);
  for (std::size_t block = 0; block < outer; ++block) {
    const double* source = x.values().data() + block * from * inner;
    double* target = y.values().data() + block * to * inner;
    for (std::size_t i = 0; i < to; ++i)
      for (std::size_t p = 0; p < from; ++p) {
        const double weight = matrix(i, p);
        for (std::size_t cell = 0; cell < inner; ++cell)
          target[i * inner + cell] += weight * source[p * inner + cell];
      }
  }
  return y;
}

// The positions along modes 3..N of a shape, numbered in C order, and their differences modulo the size of
// each mode.
class Tubes {
 public:
  explicit Tubes(const Shape& shape) : sizes_(shape.dimensions().begin() + 2, shape.dimensions().end()) {
    for (int mode = 2; mode < shape.order(); ++mode) strides_.push_back(shape.stride(mode));
    digits_.resize(size() * sizes_.size());
    for (std::size_t t = 0; t < size(); ++t)
      for (std::size_t mode = 0; mode < sizes_.size(); ++mode)
        digits_[t * sizes_.size() + mode] = static_cast<Index>(t / strides_[mode] % sizes_[mode]);
  }

  std::size_t size() const { return strides_.front() * sizes_.front(); }

  std::size_t difference(std::size_t t, std::size_t s) const {
    std::size_t result = 0;
    for (std::size_t mode = 0; mode < sizes_.size(); ++mode) {
      const Index a = digits_[t * sizes_.size() + mode], b = digits_[s * sizes_.size() + mode];
      result += strides_[mode] * (a >= b ? a - b : a + (sizes_[mode] - b));
    }
    return result;
  }

 private:
  std::vector<Index> sizes_;
  std::vector<std::size_t> strides_;
  std::vector<Index> digits_;
};

// The t-product u * v of n1 x r x tube and r x n2 x tube, where a tube is all of modes 3..N:
//
//   x[i,j,t] = sum_{p,s} u[i,p,t-s] v[p,j,s]    (t-s taken modulo the size of each mode)
//
// For a fixed i this is a matrix product: v, as n2 x (r tube), times the shifted copies of u[i], as (r tube)
// x tube. The copies are made for some t at a time, so that they stay small when tubes are long.
DenseTensor t_product(const DenseTensor& u, const DenseTensor& v, const Tubes& tubes) {
  const Index n1 = u.shape()[0], rank = u.shape()[1], n2 = v.shape()[1];
  const std::size_t tube = tubes.size();
  Matrix v_rows(n2, rank * tube);
  for (std::size_t p = 0; p < rank; ++p)
    for (std::size_t j = 0; j < n2; ++j)
      for (std::size_t s = 0; s < tube; ++s) v_rows(j, p * tube + s) = v.values()[(p * n2 + j) * tube + s];

  DenseTensor x(u.shape().with(1, n2));
  constexpr std::size_t kColumns = 64;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n1; ++i) {
    Eigen::Map<Matrix> slice(x.values().data() + i * n2 * tube, n2, tube);
    Matrix shifted;
    for (std::size_t begin = 0; begin < tube; begin += kColumns) {
      const std::size_t columns = std::min(kColumns, tube - begin);
      shifted.resize(rank * tube, columns);
      for (std::size_t s = 0; s < tube; ++s)
        for (std::size_t t = begin; t < begin + columns; ++t) {
          const std::size_t lag = tubes.difference(t, s);
          for (std::size_t p = 0; p < rank; ++p)
            shifted(p * tube + s, t - begin) = u.values()[(i * rank + p) * tube + lag];
        }
      slice.middleCols(begin, columns).noalias() = v_rows * shifted;
    }
  }
  return x;
}

}  // namespace

Cp draw_cp(const Shape& shape, int rank, std::uint64_t seed) {
  check_rank(rank);
  Random random = random_for(Use::signal, seed);
  Cp model;
  model.weights = Vector::Ones(rank);
  for (Index size : shape.dimensions()) {
    Matrix factor = normal_matrix(size, static_cast<Index>(rank), random);
    factor.colwise().normalize();
    model.factors.push_back(std::move(factor));
  }
  return model;
}

Tucker draw_tucker(const Shape& shape, std::span<const Index> ranks, std::uint64_t seed) {
  if (static_cast<int>(ranks.size()) != shape.order())
    fail_usage("{} ranks for a {} tensor: give one per mode", ranks.size(), shape.text());
  Random random = random_for(Use::signal, seed);
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    if (ranks[mode] < 1 || ranks[mode] > shape[mode])
      fail_usage("rank {} of mode {}: give 1 to {}, the size of the mode", ranks[mode], mode + 1,
                 shape[mode]);
    factors.push_back(orthonormal(normal_matrix(shape[mode], ranks[mode], random)));
  }
  const std::vector<std::uint64_t> core(ranks.begin(), ranks.end());
  return {normal_tensor(Shape(core), random), std::move(factors), {}};
}

Synthetic generate_cp(const Shape& shape, int rank, std::uint64_t seed, double snr) {
  return with_noise(scaled_to_unit(draw_cp(shape, rank, seed).reconstruct()), snr, seed);
}

Synthetic generate_tucker(const Shape& shape, std::span<const Index> ranks, std::uint64_t seed, double snr) {
  const Tucker model = draw_tucker(shape, ranks, seed);
  DenseTensor tensor = model.core;
  for (int mode = 0; mode < shape.order(); ++mode) tensor = multiply_mode(tensor, mode, model.factors[mode]);
  return with_noise(scaled_to_unit(std::move(tensor)), snr, seed);
}

Synthetic generate_tubal(const Shape& shape, int rank, std::uint64_t seed, double snr) {
  check_rank(rank);
  if (shape.order() < 3)
    fail_usage("a {} tensor has no tubes: tubal rank needs 3 modes at least", shape.text());
  Random random = random_for(Use::signal, seed);
  const auto r = static_cast<std::uint64_t>(rank);
  const DenseTensor u = normal_tensor(shape.with(1, r), random);
  const DenseTensor v = normal_tensor(shape.with(0, r), random);
  return with_noise(t_product(u, v, Tubes(shape)), snr, seed);
}

namespace {

// A Poisson number: events of a unit rate before the time `rate`. Never for privacy noise.
double draw_poisson(Random& random, double rate) {
  double count = 0;
  for (double time = draw_gamma(random, 1); time < rate; time += draw_gamma(random, 1)) ++count;
  return count;
}

}  // namespace

Synthetic generate_counts(const Shape& shape, int rank, std::uint64_t seed) {
  check_rank(rank);
  Random random = random_for(Use::signal, seed);
  Cp model{Vector::Ones(rank), {}, {}};
  for (Index size : shape.dimensions()) {
    model.factors.emplace_back(size, rank);
    Matrix& factor = model.factors.back();
    for (Eigen::Index i = 0; i < factor.size(); ++i) factor.data()[i] = draw_gamma(random, 1);
  }
  DenseTensor rates = model.reconstruct();
  const double mean =
      std::accumulate(rates.values().begin(), rates.values().end(), 0.0) / static_cast<double>(rates.size());
  for (double& rate : rates.values()) rate *= kMeanCount / mean;
  DenseTensor counts = rates;
  Random events = random_for(Use::noise, seed);
  for (double& count : counts.values()) count = draw_poisson(events, count);
  return {std::move(rates), std::move(counts)};
}

SparseTensor observe(const DenseTensor& tensor, double fraction, std::uint64_t seed) {
  if (!(fraction > 0 && fraction <= 1))
    fail_usage("observed fraction {}: give a number above 0 and up to 1", fraction);
  const std::size_t count = share(fraction, tensor.size());
  if (count == 0) fail("a fraction of {} of {} cells is none; observe more", fraction, tensor.size());
  Lister observed(tensor, count);
  select_in_order(tensor.size(), count, random_for(Use::observe, seed), [&](std::size_t cell, bool chosen) {
    if (chosen) observed.list(cell);
  });
  return observed.finish();
}

}  // namespace tulle
