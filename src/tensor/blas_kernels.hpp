// OpenBLAS chooses its kernels by the name of the CPU when it is loaded, and takes its slowest ones for a CPU
// newer than itself. Here they are chosen again, by the CPU's instructions.
#pragma once

#include <string>

namespace tulle {

// A function of OpenBLAS, or null: another BLAS may be loaded instead.
void* function_of_blas(const char* name);

// The kernels that OpenBLAS uses; empty for other libraries.
std::string kernels_in_use();

// The vector width of a CPU or of kernels.
enum class VectorWidth { narrow, avx, avx2, avx512, sve };

VectorWidth width_of_cpu();

// The kernels that OpenBLAS should use instead of the chosen ones; empty if those are right.
std::string better_kernels(const std::string& chosen, VectorWidth cpu);

// Whether OpenBLAS took the kernels of this name. Not to be called while another thread uses it.
bool use_kernels(const std::string& name);

// Chooses the kernels, unless the user did with OPENBLAS_CORETYPE.
bool choose_kernels();

// Defined in every source that uses BLAS, so the choice comes before its first use.
inline const bool kKernelsAreChosen = choose_kernels();

}  // namespace tulle
