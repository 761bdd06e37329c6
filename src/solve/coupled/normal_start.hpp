// Factors with independent normal elements, for tables that may be negative: models have about the mean
// squares of their tables.
#pragma once

#include "coupled_passes.hpp"

namespace tulle {

class NormalStart {
 public:
  NormalStart(const Study& study, const CoupledPasses& passes, std::uint64_t seed);

  std::vector<double> values(int factor) const;
  double scale(int factor) const { return scales_[factor]; }  // of an element
  Coupled model() const;                                      // with all factors

 private:
  const Coupled& model_;
  std::uint64_t seed_;
  std::vector<double> scales_;
};

}  // namespace tulle
