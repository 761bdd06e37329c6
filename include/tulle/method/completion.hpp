// The job of `tulle complete` without privacy, and what every method answers.
#pragma once

#include <tulle/data/mode_order.hpp>
#include <tulle/method/terms.hpp>
#include <tulle/method/warm_start.hpp>
#include <tulle/model/interest.hpp>
#include <tulle/model/model.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/protected.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Coupling;
struct Measurement;
class NameHashes;

enum class Solver { als, sgd, admm, hooi, svd };
std::string_view name(Solver solver);
Solver solver_of(std::string_view name);  // a UsageError that lists the names when there is none

// The options of a fit that not every method reads.
enum class FitOption { rank, biases, solver, ridge, start, ordered, iterations, tolerance, seed };
std::string_view name(FitOption option);  // the id of the option
inline constexpr std::array kAllFitOptions = {FitOption::rank,       FitOption::biases,    FitOption::solver,
                                              FitOption::ridge,      FitOption::start,     FitOption::ordered,
                                              FitOption::iterations, FitOption::tolerance, FitOption::seed};

// What is to be fitted and how; what is left open stays at the solver's own default.
struct FitOptions {
  ModelKind model = ModelKind::cp;  // or tucker, tubal
  std::vector<int> ranks;  // one for all modes, or one per mode (tucker); empty: the method's default
  bool biases = false;
  std::optional<Solver> solver;  // empty: the best one for the model
  std::optional<double> ridge;   // of the factors
  std::optional<Start> start;    // empty: the solver's own
  // Of the modes, a public fact; none: the positions of all may have an order. Given where one is stated.
  std::vector<ModeOrder> orders;
  WarmStart from;                            // a model of the same kind and shape, whose rank is kept
  std::vector<int> held;                     // modes of that model that stay fixed
  std::shared_ptr<const Coupling> coupling;  // of a tensor with several relations, or with public tables
  // By which entries of a user are chosen where not all count; none: by the numbers of positions and the
  // seed.
  std::shared_ptr<const NameHashes> names;
  std::optional<int> max_iterations;
  std::optional<double> tolerance;
  std::uint64_t seed = 0;  // of what is no noise: starts, folds
  // Sums that are released are added up over blocks of so many units (base/unit_blocks.hpp), the same for any
  // number; 0: all units at once. For methods that work in blocks.
  std::size_t block_size = 0;
  Observer observer;
  const Device* device = nullptr;  // none: the CPU

  std::vector<FitOption> given()
      const;  // those that are not left open; whether a seed is given cannot be seen
  void leave_open(FitOption option);
};

struct PlainRequest {
  // Missing cells are filled in; a dense tensor, or one whose unlisted cells are zero, has none and is
  // decomposed.
  std::variant<DenseTensor, SparseTensor> data;
  const SparseTensor* validation = nullptr;  // stops the fit when the error on it rises
  FitOptions fit;
};

struct Completion {
  Model model;         // all of it may be published, under the guarantee
  std::string solver;  // the one that ran
  std::vector<Iteration> history;
  bool converged = false;

  // Under joint privacy the model above has no parameters of single users; here each user's own row is filled
  // in, for that user alone.
  std::optional<Protected<Model>> with_user_rows;
  // Which positions users have cells at, where it was released.
  std::optional<Interest> interest = {};
  Guarantee guarantee;
  std::vector<std::string> remarks;  // what was chosen and why, one sentence each; from public facts or
                                     // releases alone
  // What predictions are clamped to: the range that was stated for a private run, that of the observed cells
  // where complete_best() chose the fit, none for a published form or a fit that was asked for as it is.
  std::optional<Range> range = {};
  // What the model was estimated from, where the method releases all of it first.
  std::shared_ptr<const Measurement> measured = {};
};

Completion complete_plainly(const PlainRequest& request);

// The same where no rank is given for cp or tucker on missing cells, and no validation data: rank (0
// included), biases and ridges are those of the least error by cross-validation.
Completion complete_best(const PlainRequest& request);

}  // namespace tulle

#pragma GCC visibility pop
