// Which tables of counts are released, and with which share of the budget: a design of least expected error
// over what the counts may be, from the shape, the noise and the number of events.
#pragma once

#include "count_table.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tulle {

struct TableShare {
  ModeSet modes;
  double share;
};

// The precision of a value of a table with a share of the budget.
struct NoiseOfShares {
  Loss loss;
  double
      whole;  // with all of it: an epsilon over the sensitivity in L1, or 1 over that in L2 times the noise

  double precision(double share) const;
  double slope(double share) const;  // of the precision, along the share
};
NoiseOfShares noise_of_shares(const CountRequest& request, Loss loss, double planned);

struct TableDesign {
  std::vector<TableShare> tables;
  double criterion = 0;  // less is better
};

// The mean logarithm of the errors of all tables, those of one mode, two modes and so on up to single cells
// alike. With an estimate of the number of events: under a wide prior of the counts, and so that single cells
// are expected to be as close as those of a histogram that has the whole budget, as far as that goes.
TableDesign design_tables(const CountRequest& request, const NoiseOfShares& noise,
                          std::optional<double> events = {});

// A log that the counts may be of: its rows, those of them that do not count, and how likely it is.
struct LogOfRows {
  double rows = 0, lost = 0, weight = 0;
};

// The same mean of the errors of all tables, under their design for so much noise, where errors are from the
// counts of all rows, and those that are lost are so of every cell alike.
double expected_error(const Shape& shape, const NoiseOfShares& noise, std::span<const LogOfRows> logs);

}  // namespace tulle
