// Builds a model from the array of its parameters.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/model_layout.hpp>

#include <span>

namespace tulle {

// The model that predicts level + scale * (the prediction with the parameters in `numbers`).
Model to_model(const ModelLayout& layout, std::span<const double> numbers, double level, double scale);

}  // namespace tulle
