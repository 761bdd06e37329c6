// The choice of scores to guess on, and the count of right guesses.
#pragma once

#include "trials.hpp"

#include <tulle/audit/bounds.hpp>

#include <optional>
#include <span>
#include <string>

namespace tulle::attacks {

// The assumptions of a bound.
struct Claim {
  double delta = 0;
  bool gaussian = false;  // the releases are Gaussian without sampling, so that the Gaussian fit applies
};

// A fixed test: guesses the second data set for scores of at least `high`, the first for scores of at most
// `low`, and bounds epsilon by `bound`.
struct Rule {
  enum class Bound { guesses, rates, gaussian_fit };

  Bound bound = Bound::guesses;
  double low = 0, high = 0;

  Guesses guess(std::span<const float> scores, std::span<const std::uint8_t> bits) const;
  double epsilon(std::span<const float> scores, std::span<const std::uint8_t> bits, const Claim& claim,
                 double alpha) const;
};

std::string_view name(Rule::Bound bound);

// The rule with the largest expected bound on `trials` further trials like these, and that bound.
struct Choice {
  Rule rule;
  double expected;  // the expected bound; below zero: none
};
Choice choose_rule(std::span<const float> scores, std::span<const std::uint8_t> bits, const Claim& claim,
                   double alpha, std::size_t trials);

}  // namespace tulle::attacks
