// Attackers that learn from trials with known bits. Each returns a score that grows with the odds of the
// second data set.
#pragma once

#include "trials.hpp"

#include <functional>
#include <span>

namespace tulle::attacks {

using Score = std::function<double(std::span<const double>)>;

// The linear discriminant (Fisher 1936). A combination of the values without noise gets all the weight.
Score learn_linear(const View& view, std::span<const std::uint8_t> bits, Part part);

// Logistic regression on the values, their absolute values, squares and, if they are few, products.
Score learn_shape(const View& view, std::span<const std::uint8_t> bits, Part part);

// Naive Bayes on the lowest bit set in each value: noise added in floating point yields values that only one
// of the two data sets can produce (Mironov 2012).
Score learn_low_bits(const View& view, std::span<const std::uint8_t> bits, Part part);

}  // namespace tulle::attacks
