// Which scores to guess on, and how many of the guesses are right.
#pragma once

#include "trials.hpp"

#include <tulle/audit/bounds.hpp>

#include <optional>
#include <span>
#include <string>

namespace tulle::attacks {

// What a bound may rest on.
struct Claim {
  double delta = 0;
  bool gaussian = false;  // the releases are Gaussian without sampling, so that the Gaussian fit applies
};

// A test that is fixed: says the second data set from `high` up, the first from `low` down, and bounds
// epsilon by `bound` of it.
struct Rule {
  enum class Bound { guesses, rates, gaussian_fit };

  Bound bound = Bound::guesses;
  double low = 0, high = 0;

  Guesses guess(std::span<const float> scores, std::span<const std::uint8_t> bits) const;
  double epsilon(std::span<const float> scores, std::span<const std::uint8_t> bits, const Claim& claim,
                 double alpha) const;
};

std::string_view name(Rule::Bound bound);

// The rule that promises the largest bound on `trials` further trials like these, and that bound.
struct Choice {
  Rule rule;
  double promise;  // below zero: hardly anything is to be expected
};
Choice choose_rule(std::span<const float> scores, std::span<const std::uint8_t> bits, const Claim& claim,
                   double alpha, std::size_t trials);

}  // namespace tulle::attacks
