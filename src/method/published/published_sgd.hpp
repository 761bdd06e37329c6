// Stochastic gradient descent cell by cell, as wei2022 and wang2021 have published it: the part of their
// algorithms without noise. Only for published forms.
#pragma once

#include "model_request.hpp"

#include <tulle/tensor/sparse.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tulle {

// Minimises weight (x - f)^2 + ridge (squared numbers) over the cells, in units of the largest absolute value
// of the public range; weight 1 in wei2022, equations 6 and 7, 1/2 in wang2021, equation 2.
struct PublishedLoss {
  double weight = 1;
  double ridge = 0.01;
  double core_ridge = 0.01;
};

class PublishedSgd {
 public:
  // Factors and core start uniform on [0, 1), as wang2021 has it; wei2022 says "random".
  PublishedSgd(const SparseTensor& observed, const ModelLayout& layout, const Standard& standard,
               const PublishedLoss& loss, std::uint64_t seed);

  // Perturbs the gradient of one mode (wei2022, algorithm 2, lines 6 to 8).
  struct Perturbation {
    int mode;
    double clip;
    std::span<const double> noise;  // a row for each cell
  };

  // One visit to every cell, in the order given: each row in turn moves down the gradient as it then is.
  void pass(double rate, const std::optional<Perturbation>& perturbation = {});

  const std::vector<double>& numbers() const { return numbers_; }
  std::vector<double>& numbers() { return numbers_; }
  const SparseTensor& observed() const { return *observed_; }
  // The longest gradient of each mode's rows so far, which the authors use as the Lipschitz constant.
  double longest_gradient(int mode) const { return longest_[mode]; }

 private:
  std::shared_ptr<const SparseTensor> observed_;
  ModelLayout layout_;
  Standard standard_;
  PublishedLoss loss_;
  std::vector<double> numbers_;
  std::vector<double> longest_;
};

inline constexpr double kPublishedRate = 0.005;  // learning rate of wei2022, section 5.1
// For methods that have gradient steps in their published form only.
MethodSetting published_learning_rate();

// How wei2022 runs it on synthetic data (section 5.1), unless the request says otherwise.
struct PublishedSettings {
  Standard standard;
  PublishedLoss loss;
  double rate;
  int passes;
};
PublishedSettings published_settings(const PrivateRequest& request);

// The whole fit, to cells that are not protected.
Model published_fit(const SparseTensor& cells, const ModelLayout& layout, const PublishedSettings& settings,
                    std::uint64_t seed);

// Published forms release some values that are computed from the data without noise, which is why their
// claims are not proven. They do so by this function, which sound forms do not call.
template <class T>
const T& released_without_noise(const Protected<T>& data) {
  return open_for_the_data_owner(data);
}

}  // namespace tulle
