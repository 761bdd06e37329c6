// Runs of private methods on small tensors.
#pragma once

#include "solve/naive_device.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/method/private_completion.hpp>

namespace tulle::testing {

// Terms under which the shape of the test's data is public.
inline Terms on_shape(Terms terms, const Shape& shape) {
  terms.shape = PublicShape{shape};
  return terms;
}

struct PrivateRun {
  std::string method;
  Terms terms{.budget = {1, 1e-6}, .range = {0, 1}, .seed = 1};
  Settings settings;
  FitOptions fit{.ranks = {2}, .seed = 1, .device = device_under_test()};

  Completion operator()(SparseTensor observed) const {
    const Terms stated = on_shape(terms, observed.shape());
    return complete_privately(find_method(method), std::move(observed), stated, settings, fit);
  }

  std::string refusal(SparseTensor observed) const {
    try {
      (*this)(std::move(observed));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

inline SparseTensor small_tensor(double value = 0.5) {  // 1 x 1 x 1
  SparseTensor tensor(Shape{1, 1, 1}, Unlisted::missing);
  tensor.append(std::array<Index, 3>{0, 0, 0}, static_cast<float>(value));
  return tensor;
}

inline SparseTensor small_ratings() {  // 30 x 20, of rank 2, next to no noise
  return observe(generate_cp(Shape{30, 20}, 2, 3, 100).noisy, 0.7, 4);
}

inline const Cp& cp(const Completion& completion) {
  return std::get<Cp>(completion.model);
}

inline double rmse(const Model& model, const DenseTensor& truth) {
  const DenseTensor got = reconstruct(model);
  double squares = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    squares += (got.values()[i] - truth.values()[i]) * (got.values()[i] - truth.values()[i]);
  return std::sqrt(squares / static_cast<double>(truth.size()));
}

inline double deviation_of(const DenseTensor& truth) {
  double mean = 0, squares = 0;
  for (double value : truth.values()) mean += value / static_cast<double>(truth.size());
  for (double value : truth.values()) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(truth.size()));
}

}  // namespace tulle::testing
