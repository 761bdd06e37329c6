#include <tulle/tensor/machine.hpp>

#include <dlfcn.h>

namespace tulle {
namespace {

// A function of OpenBLAS that returns a text; any BLAS may be loaded in its place, so it is looked for.
std::string openblas(const char* function) {
  using Text = char* (*)();
  const auto get = reinterpret_cast<Text>(dlsym(RTLD_DEFAULT, function));
  return get ? get() : "";
}

}  // namespace

// The configuration is "OpenBLAS 0.3.21 NO_AFFINITY USE_OPENMP armv8 MAX_THREADS=128": name and version
// first.
std::string blas_in_use() {
  const std::string configuration = openblas("openblas_get_config"), core = openblas("openblas_get_corename");
  if (configuration.empty()) return "unknown";
  const std::size_t version = configuration.find(' ');
  return configuration.substr(0, configuration.find(' ', version + 1)) + ", kernels for " + core;
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
