// Distance of recovered components from the true ones.
#pragma once

#include <tulle/tensor/matrix.hpp>

namespace tulle {

// e_comp of imtiaz2017, section 4: the mean, over the recovered columns, of the distance to the nearest true
// one.
double component_error(const Matrix& recovered, const Matrix& truth);

}  // namespace tulle
