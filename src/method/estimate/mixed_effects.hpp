// A mixed model of cells, fitted to noisy sums over their margins: a level, an effect of every position, and
// of pairs of positions, all of unknown variance. How far effects are shrunk follows from the sums and from
// the known noise on them (empirical Bayes); nothing here is tuned.
#pragma once

#include "margin_tables.hpp"
#include "ordered/grid.hpp"
#include "seen_effects.hpp"

#include <tulle/model/cp.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tulle {

// The prior standard deviation of the level from the middle of the range: a third of the range is in reach.
inline constexpr double kLevelDeviation = 0.3;

// Whether a low rank is sought in the effects of a pair of modes: where every pair of positions has many
// cells, on average, so that the noise on their means is about the same everywhere.
bool may_have_low_rank(const Cells& cells, const std::vector<int>& modes);

class MixedEffects {
 public:
  // `orders`: of the modes; none: all are possible.
  MixedEffects(const Cells& cells, const std::vector<MarginTable>& tables,
               const std::vector<ModeOrder>& orders = {});

  // Sums over the groups of a table, with independent noise of this variance on each. Of several releases of
  // a table the mean counts, weighted by precision.
  void take(std::size_t table, std::span<const double> sums, double variance);
  // A single cell.
  void take_cell(std::size_t cell, double value, double variance);
  // Noise on cells may be larger than was said: that of some mechanisms grows with the distance from the
  // middle. What cells are off what is expected by now shows it.
  void match_noise_on_cells();
  void set_rest(double variance) { rest_ = variance; }    // of a cell around the effects
  void set_most_deviation(double most) { most_ = most; }  // of the effects of a margin

  // Effects of one margin after the other, on what the others leave of the sums: of up to so many modes each.
  // The last rounds also try effects that change slowly along a mode; those of blocks are tried always.
  void fit(int rounds, std::size_t most_modes, bool smooth = false);

  const std::vector<double>& expected() const { return expected_; }  // of every cell
  // The posterior of the deviation of a margin's effects. Empty where nothing was released of it.
  const std::optional<DeviationWeights>& posterior(std::size_t table) const { return posteriors_[table]; }
  double level() const { return effects_[0][0]; }

  // The same as a model, in units of `width` around `middle`.
  Cp model(const Cells& cells, double middle, double width) const;

 private:
  struct Sums {
    std::vector<double> values;
    double variance = 0;
  };
  bool estimable(std::size_t part) const;
  std::vector<SeenEffect> seen(std::size_t part) const;
  void centre(std::size_t part, std::span<double> effects) const;
  void keep_in_range(std::size_t part, std::span<double> effects) const;
  void update(std::size_t part, bool smooth);
  std::vector<double> smoothed(std::size_t part, std::span<const SeenEffect> seen,
                               const Shrunk& independent) const;
  std::vector<double> smoothed_on_grid(std::size_t part, std::span<const SeenEffect> seen,
                                       const Shrunk& independent);
  bool is_line(std::size_t part) const;
  const OrderedGrid* grid(std::size_t part);
  // Effects of blocks are those of their middles; cells between them get some of both.
  void spread_blocks();
  Eigen::MatrixXd spread(int mode) const;
  void centre_blocks(std::span<const double> effects);
  void add_blocks(double width, Cp& model) const;
  // Of a mode, the part of effects that follows from traits of its positions.
  std::vector<double> from_traits(std::size_t part, std::span<const SeenEffect> seen) const;
  // Of a pair of modes, the effects of low rank that stand out of the noise.
  std::vector<double> low_rank(std::size_t part, std::span<const SeenEffect> seen) const;
  void set(std::size_t part, std::vector<double> effects);

  struct Grid {
    std::unique_ptr<const OrderedGrid> grid;
    std::vector<std::size_t> places;  // of groups
  };

  const Cells& cells_;
  const std::vector<MarginTable>& tables_;
  std::vector<ModeOrder> orders_;
  std::vector<std::optional<Grid>> grids_;  // made when needed; without a grid: no mode has an order
  std::optional<std::size_t> blocks_;       // the table of blocks
  SmoothedGrid of_blocks_;
  std::vector<double> between_blocks_;                       // of cells: what spread_blocks() added
  std::vector<std::vector<Index>> positions_;                // of the groups of a single mode
  std::vector<std::vector<std::pair<Index, Index>>> pairs_;  // of the groups of two modes
  std::vector<std::pair<Index, Index>> pair_sizes_;          // where a low rank is sought
  std::vector<std::optional<Sums>> sums_;
  std::vector<double> cell_values_, cell_precisions_;  // empty: none
  std::vector<std::vector<double>> effects_;
  std::vector<std::optional<DeviationWeights>> posteriors_;
  std::vector<double> expected_;
  double rest_ = 0.01, most_ = 0.4;
};

}  // namespace tulle
