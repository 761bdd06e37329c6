// Checks of fits that start from a model.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <vector>

namespace tulle {

// Throws a UsageError unless a fit to data of shape `data` can start from a model of shape `model` (null: no
// model) with these modes held.
void check_warm_start(const Shape* model, const Shape& data, const std::vector<int>& held);

}  // namespace tulle
