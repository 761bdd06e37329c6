// Factors with independent normal elements, for tables that may be negative. Their scales give each table's
// model about the mean square of the table.
#pragma once

#include "coupled_passes.hpp"

namespace tulle {

class NormalStart {
 public:
  NormalStart(const Study& study, const CoupledPasses& passes, std::uint64_t seed);

  std::vector<double> values(int factor) const;
  double scale(int factor) const { return scales_[factor]; }  // standard deviation of an element
  Coupled model() const;                                      // with all factors drawn

 private:
  const Coupled& model_;
  std::uint64_t seed_;
  std::vector<double> scales_;
};

}  // namespace tulle
