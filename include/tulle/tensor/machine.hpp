// What the kernels run on: for reports of speed, and of numbers that differ between machines.
#pragma once

#include <string>

namespace tulle {

// The BLAS library and the kernels that it chose for this CPU; "unknown" of libraries that do not say.
std::string blas_in_use();

// The vector instructions of Tulle's own kernels (base/multiarch.hpp).
std::string vector_instructions();

}  // namespace tulle
