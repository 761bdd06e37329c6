#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Whether als can make this model, which has one rank. Its tucker models have a diagonal core whose size in
// every mode is the number of components: with four modes, millions of numbers.
bool als_has_model(const FitOptions& fit, const Shape& shape);

}  // namespace tulle
