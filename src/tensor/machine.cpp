#include "blas_kernels.hpp"

#include <tulle/tensor/machine.hpp>

#include <cblas.h>
#include <dlfcn.h>

namespace tulle {
namespace {

std::string openblas(const char* function) {
  using Text = char* (*)();
  const auto get = reinterpret_cast<Text>(function_of_blas(function));
  return get ? get() : "";
}

}  // namespace

// Looks in the library that the products come from: a program may have loaded another BLAS for itself.
void* function_of_blas(const char* name) {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(&cblas_dgemm), &library) == 0) return nullptr;
  void* const handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  void* const found = handle ? dlsym(handle, name) : nullptr;
  if (handle) dlclose(handle);
  return found ? found : dlsym(RTLD_DEFAULT, name);
}

std::string kernels_in_use() {
  return openblas("openblas_get_corename");
}

// The configuration is "OpenBLAS 0.3.21 NO_AFFINITY USE_OPENMP armv8 MAX_THREADS=128": name and version come
// first.
std::string blas_in_use() {
  const std::string configuration = openblas("openblas_get_config");
  if (configuration.empty()) return "unknown";
  const std::size_t version = configuration.find(' ');
  return configuration.substr(0, configuration.find(' ', version + 1)) + ", kernels for " + kernels_in_use();
}

std::string vector_instructions() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "AVX2" : "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "of the base line";
#endif
}

}  // namespace tulle
