// Noisy counts of huge tensors: tables of one and two modes, and the cells that stand out (Tulle).
//
// Unit, relation:  event, add-remove or replace; user (named mode), add-remove. Public: shape, rows of a user
//                  that count.
// Releases:        the number of events, tables by one mode, tables by two where counts are not far below
//                  the noise, and the table of all cells, of which only values that reach a threshold are
//                  released, once each (count_table.cpp has their sensitivities). Discrete Laplace noise.
//                  Which pairs follow, and shares of epsilon, depend on the number that was released and on
//                  public facts; the threshold follows from the shape and epsilon.
// After that free: a forest over the modes, and what cells have beyond it (estimate_sparse.hpp).
// Cost:            O(events + cells of the tables + released cells) time and memory, whatever the number of
// cells.
#include "count_method.hpp"
#include "count_table.hpp"
#include "estimate_sparse.hpp"
#include "methods.hpp"

#include <cmath>

namespace tulle {
namespace {

// Tables of pairs with more cells take too much memory. One whose counts are below a tenth of the noise on
// average shows single modes at most: a judgement, made on synthetic links. (A pattern as large as the mean
// stands out of the noise of n x m cells from 1 / sqrt(n) + 1 / sqrt(m) of it on, but is then known to its
// sign alone.)
constexpr double kMostCellsOfPair = 0x1p24, kLeastMean = 0.1;
// So many cells without events are expected among those that are released, at most.
constexpr double kMostEmptyCells = 0x1p20;
// Of epsilon: the number of events is far above its noise, or nothing else matters; half is for what single
// cells show, the rest for what tables do, each as much.
constexpr double kShareOfNumber = 0.01, kShareOfCellsAbove = 0.5;

// Noise of scale b reaches T in one of n cells with probability exp(-T/b) / (1 + exp(-1/b)).
std::int64_t threshold_for(const Shape& shape, double scale) {
  const double cells = table_cells(shape, all_modes(shape));
  const double most = std::log(cells / (kMostEmptyCells * (1 + std::exp(-1 / scale))));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(scale * most)));
}

class SparseRelease {
 public:
  SparseRelease(const CountRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        epsilon_(plan_tables(request, curator, {{.loss = Loss::pure, .in_parts = true}}).front()) {}

  Releases run() {
    release(0, kShareOfNumber);
    constexpr double kLeft = 1 - kShareOfNumber - kShareOfCellsAbove;
    const std::vector<ModeSet> tables = tables_for(releases_.front().values.front(), kLeft);
    for (const ModeSet modes : tables) release(modes, kLeft / static_cast<double>(tables.size()));
    release_cells();
    return std::move(releases_);
  }

 private:
  // As if all of them were released.
  std::vector<ModeSet> tables_for(double events, double share) const {
    const double all = request_.shape.order() * (request_.shape.order() + 1) / 2.0;
    std::vector<ModeSet> tables;
    for (ModeSet modes = 1; modes <= all_modes(request_.shape); ++modes) {
      const int size = std::popcount(modes);
      const double cells = table_cells(request_.shape, modes);
      if (size > 2 || (size == 2 && cells > kMostCellsOfPair)) continue;
      const double noise = table_noise(request_, modes, Loss::pure, epsilon_ * share / all).deviation();
      if (size == 1 || events > kLeastMean * noise * cells) tables.push_back(modes);
    }
    return tables;
  }

  void release(ModeSet modes, double share) {
    releases_.push_back(
        release_table(request_, curator_, modes, table_noise(request_, modes, Loss::pure, epsilon_ * share)));
  }

  void release_cells() {
    const double epsilon = epsilon_ * kShareOfCellsAbove;
    const Sensitivity sensitivity = noise_above(request_, epsilon, 1).sensitivity();
    const std::int64_t threshold = threshold_for(request_.shape, sensitivity.in(Norm::l1).value() / epsilon);
    Release cells =
        release_cells_above(request_, curator_, noise_above(request_, epsilon, threshold), threshold);
    if (!cells.values.empty()) releases_.push_back(std::move(cells));
  }

  const CountRequest& request_;
  Curator& curator_;
  double epsilon_;
  Releases releases_;
};

Releases count_sparsely(const CountRequest& request, Curator& curator) {
  return SparseRelease(request, curator).run();
}

CountOutcome sparse_counts_of(const Measurement& measured) {
  CountOutcome outcome{.model = estimate_sparse(measured)};
  for (const Release& table : measured.releases)
    outcome.remarks.push_back(fmt::format(
        "Released {} with {} noise of standard deviation {:.4g}{}.", table.what, table.noise, table.deviation,
        table.id == kCellsAbove ? fmt::format(": {} cells", table.values.size()) : ""));
  outcome.remarks.push_back(fmt::format("Kept {} cells.", outcome.model.sparse->places.size()));
  return outcome;
}

}  // namespace

Method sparse_counts() {
  return count_method(
      {.name = "sparse",
       .title = "noisy tables of counts by one and two modes, and the cells that stand out",
       .details =
           "For tensors of up to 9e15 cells of which nearly all are empty. Releases tables of counts by "
           "single modes and, where they have at most 16.8 million cells, by pairs of modes, and those of "
           "all cells that reach a threshold after each got discrete Laplace noise. The noise of empty cells "
           "is drawn without visiting them, with the same distribution, so time and memory grow with the "
           "events. The estimate is a forest over the modes (Chow and Liu 1968), and what cells have beyond "
           "it.",
       .sound = MeasuredCounts{count_sparsely, sparse_counts_of, false}},
      false);
}

}  // namespace tulle
