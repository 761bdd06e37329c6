// A dense tensor read in Fortran order, the order of MATLAB files.
#pragma once

#include "binary/element.hpp"

#include <tulle/tensor/dense.hpp>

namespace tulle {

// Passes whole slices of the last mode on, in blocks of at most 32 MiB or of a single slice.
void for_each_fortran_block(const DenseTensor& tensor, const TakeNumbers& take);

}  // namespace tulle
