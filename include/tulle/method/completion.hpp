// The job of `tulle complete`, as every method takes and answers it.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tulle {

struct CompletionRequest {
  // Missing cells are filled in; a dense tensor, or one whose unlisted cells are zero, has none and is
  // decomposed.
  std::variant<DenseTensor, SparseTensor> data;
  const SparseTensor* validation = nullptr;  // stops the fit when the error on it rises

  std::string model = "cp";  // cp, tucker, tubal
  std::vector<int> ranks;    // one for all modes, or one a mode (tucker); empty: the model's default
  bool biases = false;
  std::string solver;           // als, sgd, admm, ..; empty: the best one for the model
  std::optional<double> ridge;  // of the factors
  std::optional<Start> start;   // empty: the solver's own
  std::optional<int> max_iterations;
  std::optional<double> tolerance;
  std::uint64_t seed = 0;
  Observer observer;
};

struct Completion {
  Model model;
  std::string solver;  // the one that ran
  std::vector<Iteration> history;
  bool converged = false;
};

}  // namespace tulle
