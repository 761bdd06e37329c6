// Data with a known CP model in them.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/model/cp.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tulle::testing {

inline Cp random_model(const Shape& shape, int rank, std::uint64_t seed) {
  Random random(seed);
  Cp model;
  model.weights = Vector::Ones(rank);
  for (Index size : shape.dimensions()) {
    Matrix factor(size, rank);
    for (double& entry : factor.reshaped()) entry = random.normal();
    model.factors.push_back(factor);
  }
  return model;
}

// Entries between 0.5 and 1.5: products of many normal ones are mostly tiny and now and then huge.
inline Cp even_model(const Shape& shape, int rank, std::uint64_t seed) {
  Cp model = random_model(shape, rank, seed);
  for (Matrix& factor : model.factors) factor = 1 + 0.5 * factor.array().tanh();
  return model;
}

struct Planted {
  Cp truth;
  SparseTensor observed;
  SparseTensor hidden;  // cells that were not observed, without noise
};

// Cells of the model are observed with the given chance, under noise.
inline Planted plant(Cp truth, double chance, double noise, std::uint64_t seed) {
  const DenseTensor dense = truth.reconstruct();
  const Shape& shape = dense.shape();
  Planted result{std::move(truth), SparseTensor(shape, Unlisted::missing),
                 SparseTensor(shape, Unlisted::missing)};
  Random random(seed);
  std::vector<Index> cell(shape.order());
  for (std::size_t c = 0; c < dense.size(); ++c) {
    for (int mode = 0; mode < shape.order(); ++mode)
      cell[mode] = static_cast<Index>(c / shape.stride(mode) % shape[mode]);
    if (random.chance(chance))
      result.observed.append(cell, static_cast<float>(dense.values()[c] + noise * random.normal()));
    else
      result.hidden.append(cell, static_cast<float>(dense.values()[c]));
  }
  return result;
}

inline double rmse(const Cp& model, const SparseTensor& cells) {
  const auto predicted = model.predict(cells.cells());
  double squares = 0;
  for (std::size_t e = 0; e < cells.size(); ++e) squares += std::pow(predicted[e] - cells.values()[e], 2);
  return std::sqrt(squares / static_cast<double>(cells.size()));
}

inline double spread(const SparseTensor& cells) {
  double sum = 0, squares = 0;
  for (float value : cells.values()) {
    sum += value;
    squares += double{value} * value;
  }
  const auto count = static_cast<double>(cells.size());
  return std::sqrt(squares / count - sum * sum / count / count);
}

inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

inline bool same(const Cp& a, const Cp& b) {
  return a.weights == b.weights && a.factors == b.factors && a.biases.global == b.biases.global &&
         a.biases.offsets == b.biases.offsets;
}

}  // namespace tulle::testing
