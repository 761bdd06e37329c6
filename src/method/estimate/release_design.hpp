// How a budget is best divided over the margins of a tensor and its single cells: by the expected error of
// the estimate that is made of them, over what is not known of the data. All of it follows from public facts
// and earlier releases.
#pragma once

#include "margin_tables.hpp"
#include "mixed_effects.hpp"

#include <tulle/tensor/matrix.hpp>

#include <optional>
#include <span>
#include <vector>

namespace tulle {

// What is public of a design. Lengths are in widths of the range.
struct DesignFacts {
  const std::vector<MarginTable>& tables;
  Shape shape;
  double cells = 0;
  double window = 1;  // that values are clamped to in what is still to be released
  // Of single cells: number of batches, each in a window about what is known by then, and what their windows
  // cost.
  std::size_t batches = 0;
  double cost_of_windows = 0;
  std::vector<bool> low_rank = {};  // of each table, whether one is sought in its effects
  std::vector<double> known = {};   // 1 / variance of what was released of each table; 0: nothing
};

// A division of an epsilon: of each table, and of single cells.
struct Division {
  std::vector<double> tables;
  double cells = 0;
};

// What releases say of variances.
struct VarianceFacts {
  // Of each table the mean over cells of the squared mean of a cell's group, around the level; of the table
  // without modes the mean square of cells. Released with Laplace noise of this scale.
  std::vector<double> squares;
  double scale = 0;
  double level_stddev = 0;                // of what was taken for the level
  const MixedEffects* effects = nullptr;  // estimated from sums, if there are some
  // Mean squared distance of cells from what is estimated, and its standard deviation; 0: not known.
  double left = 0, left_stddev = 0;
};

class ReleaseDesign {
 public:
  explicit ReleaseDesign(const DesignFacts& facts);

  // Draws variance components from their posterior under a wide prior.
  void draw(const VarianceFacts& facts);

  // The division of least expected log error.
  Division best(double epsilon) const;

  // Mean squared error that a division is expected to leave, on average over the draws in logarithms.
  double expected_error(const Division& division) const;
  // The middle of what standard deviations are expected to be before anything is known.
  static double middle_deviation();
  // Variance of a cell around all effects, on average.
  double rest() const { return (rest_ + low_).mean(); }

 private:
  using Draws = Eigen::ArrayXd;
  struct Bin {  // groups of about as many cells
    double count, weight;
  };
  // Standard deviations, in logarithms, and the rank: one row per component, one column per draw.
  using Components = Eigen::ArrayXXd;

  void set(const Components& components);
  Draws log_posterior(const Components& components, const VarianceFacts& facts);
  Draws log_prior(const Components& components, const MixedEffects* effects) const;
  Draws expected_square(std::size_t table) const;
  Draws errors(const Division& division) const;
  Draws errors(const Division& division, const Draws& cell_variance) const;
  double precision(std::size_t table, double epsilon) const;
  bool is_within(std::size_t part, std::size_t table) const;
  void draw_smoothness();
  // What part of the effects is lost that are seen with noise of this variance each.
  Draws lost(std::size_t part, const Draws& variance) const;
  // How many groups of a finer table a group of this many cells of a table has.
  double parts_of(std::size_t finer, std::size_t table, double count) const;

  DesignFacts facts_;
  std::vector<std::vector<Bin>> bins_;
  // Of each draw: variances of the effects of each table, of a low rank, of what is left; the rank.
  std::vector<Draws> effects_;
  Draws low_, rest_, rank_;
  Components waves_;  // of blocks: variance of a few waves, of mean 1, from the smoothest on
  Draws off_level_;   // squared distance of the level from what was taken for it
};

}  // namespace tulle
