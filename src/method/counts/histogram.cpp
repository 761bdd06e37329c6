// Noisy counts of all cells (Tulle).
//
// Unit, relation:  event, add-remove or replace; user (named mode), add-remove. Public: shape, rows of a user
//                  that count.
// Releases:        the table of all modes, once (count_table.cpp has its sensitivity). Discrete Laplace
//                  noise, or Gaussian if there is a delta and it is less.
// After that free: interactions of modes shrunk as far as they do not stand out of the noise, counts of 0 or
//                  more that add up to the same.
// Cost:            O(cells 2^modes) time, O(cells) memory.
#include "count_method.hpp"
#include "count_table.hpp"
#include "estimate_counts.hpp"
#include "methods.hpp"

namespace tulle {
namespace {

AdditiveNoise least_noise(const CountRequest& request, const Allowance& allowance) {
  const ModeSet all = all_modes(request.shape);
  AdditiveNoise laplace = table_noise(request, all, Loss::pure, allowance.epsilon);
  if (!allowance.noise_multiplier) return laplace;
  AdditiveNoise gaussian = table_noise(request, all, Loss::gaussian, *allowance.noise_multiplier);
  return gaussian.deviation() < laplace.deviation() ? gaussian : laplace;
}

Releases count_all_cells(const CountRequest& request, Curator& curator) {
  const AdditiveNoise noise = least_noise(request, allowance_of_tables(request, curator));
  plan_tables(request, curator, {{.loss = loss_of(noise)}});
  return {release_table(request, curator, all_modes(request.shape), noise)};
}

CountOutcome counts_of_cells(const Measurement& measured) {
  return {.model = estimate_counts(measured),
          .remarks = {fmt::format("Counted every cell once, with {} noise of standard deviation {:.4g}.",
                                  measured.releases.front().noise, measured.releases.front().deviation)}};
}

}  // namespace

Method histogram_of_counts() {
  return count_method(
      {.name = "histogram",
       .title = "noisy counts of all cells",
       .details =
           "Every cell is counted once, with discrete Laplace noise, or with Gaussian noise where there is a "
           "delta and it is less. What of the counts does not stand out of that noise, interaction of modes "
           "by interaction, is shrunk.",
       .sound = MeasuredCounts{count_all_cells, counts_of_cells}},
      true);
}

}  // namespace tulle
