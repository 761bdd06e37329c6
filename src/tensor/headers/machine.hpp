// The hardware and libraries that kernels run on, for reports of speed and of values that differ by machine.
#pragma once

#include <string>

namespace tulle {

// The BLAS library and the kernels it chose for this CPU; "unknown" if the library does not report them.
std::string blas_in_use();

// The vector instructions of Tulle's own kernels (base/multiarch.hpp).
std::string vector_instructions();

}  // namespace tulle
