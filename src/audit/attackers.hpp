// Attackers that learn. Each is shown trials with their bits and gives back a score, larger the likelier it
// thinks the second data set.
#pragma once

#include "trials.hpp"

#include <functional>
#include <span>

namespace tulle::attacks {

using Score = std::function<double(std::span<const double>)>;

// The linear statistic that tells the means apart best (Fisher 1936). A combination of the numbers that has
// no noise gets all the weight.
Score learn_linear(const View& view, std::span<const std::uint8_t> bits, Part part);

// Logistic regression on the numbers, their sizes, squares and, of few, products.
Score learn_shape(const View& view, std::span<const std::uint8_t> bits, Part part);

// Naive Bayes on the lowest bit set in each number: noise added in floating point leaves values that only one
// of the two data sets can lead to (Mironov 2012).
Score learn_low_bits(const View& view, std::span<const std::uint8_t> bits, Part part);

}  // namespace tulle::attacks
