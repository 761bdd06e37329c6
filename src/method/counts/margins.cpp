// Noisy tables of counts by few modes, by many and by all (Tulle).
//
// Unit, relation:  event, add-remove or replace; user (named mode), add-remove. Public: shape, rows of a user
//                  that count.
// Releases:        tables of several sets of modes (count_table.cpp has their sensitivities). With discrete
//                  Laplace noise the number of events comes first, again until it is known to a tenth; which
//                  tables follow, and the shares of what is left of epsilon, depend on it and on public
//                  facts. With Gaussian noise, where a delta makes it less, they follow from the shape.
// After that free: tables from the total on, each expected to be as even as those before allow,
//                  deconvolved and reconciled with them (estimate_counts.hpp).
// Cost:            O(cells 2^modes) time, O(cells) memory.
#include "count_method.hpp"
#include "count_table.hpp"
#include "estimate_counts.hpp"
#include "methods.hpp"
#include "table_shares.hpp"

#include <array>
#include <cmath>

namespace tulle {
namespace {

// Of epsilon, for the number of events: twice as much each time until it is known to a tenth, which changes
// the shares of tables by little. Where the last is not enough, all counts are far below the noise.
constexpr std::array kSharesOfTotal = {0.001, 0.002, 0.004, 0.008};
constexpr double kKnownTo = 0.1;

Releases with_gaussian_noise(const CountRequest& request, Curator& curator,
                             const std::vector<TableShare>& tables) {
  std::vector<Stage> stages;
  for (const TableShare& table : tables) stages.push_back({.loss = Loss::gaussian, .share = table.share});
  const std::vector<double> planned = plan_tables(request, curator, stages);
  Releases releases;
  for (std::size_t i = 0; i < tables.size(); ++i)
    releases.push_back(release_table(request, curator, tables[i].modes,
                                     table_noise(request, tables[i].modes, Loss::gaussian, planned[i])));
  return releases;
}

class LaplaceTables {
 public:
  LaplaceTables(const CountRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        epsilon_(plan_tables(request, curator, {{.loss = Loss::pure, .in_parts = true}}).front()),
        left_(epsilon_) {}

  Releases run() {
    const double events = number_of_events(), left = left_;
    const NoiseOfShares rest = noise_of_shares(request_, Loss::pure, left);
    for (const TableShare& table : design_tables(request_, rest, events).tables)
      release(table.modes, left * table.share);
    return std::move(releases_);
  }

 private:
  void release(ModeSet modes, double epsilon) {
    left_ -= epsilon;
    releases_.push_back(
        release_table(request_, curator_, modes, table_noise(request_, modes, Loss::pure, epsilon)));
  }

  double number_of_events() {
    double sum = 0, precision = 0;
    for (const double share : kSharesOfTotal) {
      release(0, share * epsilon_);
      const double weight = 1 / (releases_.back().deviation * releases_.back().deviation);
      sum += weight * releases_.back().values.front();
      precision += weight;
      if (kKnownTo * sum > std::sqrt(precision)) break;
    }
    return std::max(1.0, sum / precision);
  }

  const CountRequest& request_;
  Curator& curator_;
  double epsilon_, left_;
  Releases releases_;
};

Releases count_margins(const CountRequest& request, Curator& curator) {
  const Allowance allowance = allowance_of_tables(request, curator);
  if (!allowance.noise_multiplier) return LaplaceTables(request, curator).run();
  const TableDesign laplace = design_tables(request, noise_of_shares(request, Loss::pure, allowance.epsilon));
  const TableDesign gaussian =
      design_tables(request, noise_of_shares(request, Loss::gaussian, *allowance.noise_multiplier));
  return gaussian.criterion < laplace.criterion ? with_gaussian_noise(request, curator, gaussian.tables)
                                                : LaplaceTables(request, curator).run();
}

CountOutcome counts_of_margins(const Measurement& measured) {
  CountOutcome outcome{.model = estimate_counts(measured)};
  for (const Release& table : measured.releases)
    outcome.remarks.push_back(fmt::format("Released {} with {} noise of standard deviation {:.4g}.",
                                          table.what, table.noise, table.deviation));
  return outcome;
}

}  // namespace

Method margins_of_counts() {
  return count_method(
      {.name = "margins",
       .title = "noisy tables of counts by some modes and by all, combined",
       .details =
           "Releases tables of counts by single modes, pairs of modes and so on up to all of them, with "
           "discrete Laplace or Gaussian noise. Sums over many cells come from the small tables, whose noise "
           "is that of one number. Which tables, and how much of the budget each gets, follows from the "
           "shape and a first estimate of the number of events: where counts are far above the noise nearly "
           "all goes to single cells.",
       .sound = MeasuredCounts{count_margins, counts_of_margins}},
      true);
}

}  // namespace tulle
