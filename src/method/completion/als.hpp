#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Whether als has the model that is asked for, of one rank. A tucker model of it has a diagonal core with as
// many numbers in every mode as there are components, which with four modes would be millions.
bool als_has_model(const FitOptions& fit, const Shape& shape);

}  // namespace tulle
