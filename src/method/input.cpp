#include "input.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/calibrate.hpp>

namespace tulle {
namespace {

// One entry moves by at most the width of the range, and no other moves.
AdditiveNoise entry_noise(const PrivateRequest& request, std::uint64_t entries) {
  const Budget& budget = request.terms.budget;
  const Sensitivity moves =
      Sensitivity::one_coordinate(request.terms.range.width(), request.terms.unit, request.relation);
  const std::string& noise = request.tuning.noise;
  if (noise == "gaussian" || (noise.empty() && budget.delta > 0)) {
    if (budget.delta == 0) fail_usage("gaussian noise needs a --delta above 0");
    return AdditiveNoise::gaussian(moves, gaussian_noise_for({budget.epsilon, budget.delta}), entries);
  }
  if (noise == "laplace") return AdditiveNoise::laplace(moves, budget.epsilon, entries);
  if (noise.empty() || noise == "staircase") return AdditiveNoise::staircase(moves, budget.epsilon, entries);
  fail_usage("method input has no noise '{}'; it has: laplace, staircase, gaussian", noise);
}

Completion complete(const PrivateRequest& request, Curator& curator) {
  const Cells& cells = request.data.positions();
  const AdditiveNoise noise = entry_noise(request, cells.size());
  const Noisy released = curator.release(
      request.data.observed(), noise, "every observed entry", [](const SparseTensor& observed) {
        return std::vector<double>(observed.values().begin(), observed.values().end());
      });
  std::vector<float> values(released.values.begin(), released.values.end());
  return complete_plainly(
      {.data = SparseTensor(cells, std::move(values), Unlisted::missing), .fit = request.fit});
}

}  // namespace

Method input_method() {
  return {.name = "input",
          .title = "noise on every observed entry, then any plain solver",
          .source = "wei2022, algorithm 1",
          .guarantee = "epsilon-private for one entry under replace; which cells are observed is public",
          .details = "Models cp, tucker and tubal, with their plain solvers.",
          .models = {},
          .protects = {{Unit::entry, Relation::replace}},
          .takes = {"noise"},
          .sound = complete};
}

}  // namespace tulle
