// OpenBLAS chooses its kernels by the name of the CPU when it is loaded, and takes its slowest ones for a CPU
// that is newer than itself. They are chosen again here, by the instructions that the CPU has.
#pragma once

#include <string>

namespace tulle {

// A function of OpenBLAS, or nothing: any BLAS may be loaded in its place.
void* function_of_blas(const char* name);

// The kernels that OpenBLAS uses; empty for other libraries.
std::string kernels_in_use();

// How wide the vectors of a CPU, or of kernels, are.
enum class VectorWidth { narrow, avx, avx2, avx512, sve };

VectorWidth width_of_cpu();

// What OpenBLAS should use in place of the kernels that it chose; empty where those are right.
std::string better_kernels(const std::string& chosen, VectorWidth cpu);

// Whether OpenBLAS took the kernels of this name. Not while another thread uses it.
bool use_kernels(const std::string& name);

// Unless the user has chosen by OPENBLAS_CORETYPE.
bool choose_kernels();

// In every source that uses BLAS, so before its first use.
inline const bool kKernelsAreChosen = choose_kernels();

}  // namespace tulle
