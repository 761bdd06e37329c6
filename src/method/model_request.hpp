// The parts of a request for methods that optimise the parameters of a model themselves.
#pragma once

#include <tulle/method/private_completion.hpp>
#include <tulle/solve/to_model.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

namespace tulle {

// The layout of the requested model, cp or tucker. A UsageError if the ranks do not fit.
ModelLayout layout_of(const PrivateRequest& request);

// The limit of the tubal rank, 0 for none. A UsageError where there cannot be a tubal model.
int tubal_rank_of(const FitOptions& fit, const Shape& shape);

// Values between -1 and 1, by the public range alone.
Standard standard_of(const Range& range);

// Independent normal values with this standard deviation, one for every parameter.
std::vector<double> random_numbers(const ModelLayout& layout, double deviation, std::uint64_t seed);

}  // namespace tulle
