// Checks whether a rank is useful for a tensor.
#pragma once

#include <tulle/method/completion.hpp>
#include <tulle/tensor/shape.hpp>

#include <optional>

namespace tulle {

// A UsageError if a requested rank is larger than any model of a tensor of this shape needs; solvers would
// cut it or fit in vain. The size of `unknown_mode` is private and does not count.
void check_ranks(const FitOptions& fit, const Shape& shape, std::optional<int> unknown_mode = {});

}  // namespace tulle
