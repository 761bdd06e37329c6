// A dense tensor read in Fortran order, the order of MATLAB files.
#pragma once

#include "binary/element.hpp"

#include <tulle/tensor/dense.hpp>

namespace tulle {

// Whole slices of the last mode, as many at a time as make about 32 MiB, at least one.
void for_each_fortran_block(const DenseTensor& tensor, const TakeNumbers& take);

}  // namespace tulle
