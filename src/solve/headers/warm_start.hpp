// Fits that start from a model.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <vector>

namespace tulle {

// A UsageError unless a fit of data of this shape can start from a model of that shape, if there is one, with
// these of its modes held.
void check_warm_start(const Shape* model, const Shape& data, const std::vector<int>& held);

}  // namespace tulle
