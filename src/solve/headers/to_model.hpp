// The model that an array of numbers stands for.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/model_layout.hpp>

#include <span>

namespace tulle {

// level + scale * (what the numbers say).
Model to_model(const ModelLayout& layout, std::span<const double> numbers, double level, double scale);

}  // namespace tulle
