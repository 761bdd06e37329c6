#include "blas_kernels.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace tulle {
namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

std::string lower(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

// The vector width of kernels by their name in OpenBLAS; kernels that are not listed are narrow.
VectorWidth width_of_kernels(const std::string& name) {
  constexpr std::array<const char*, 3> k512 = {"skylakex", "cooperlake", "sapphirerapids"};
  constexpr std::array<const char*, 4> k256 = {"haswell", "zen", "excavator", "steamroller"};
  constexpr std::array<const char*, 3> kAvx = {"sandybridge", "bulldozer", "piledriver"};
  const auto is_in = [&](const auto& names) { return std::ranges::find(names, lower(name)) != names.end(); };
  if (is_in(k512)) return VectorWidth::avx512;
  if (is_in(k256)) return VectorWidth::avx2;
  return is_in(kAvx) ? VectorWidth::avx : VectorWidth::narrow;
}

}  // namespace

VectorWidth width_of_cpu() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this runs before main
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return VectorWidth::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorWidth::avx2;
  if (__builtin_cpu_supports("avx")) return VectorWidth::avx;
#elif defined(__aarch64__)
  if ((getauxval(AT_HWCAP) & HWCAP_SVE) != 0) return VectorWidth::sve;
#endif
  return VectorWidth::narrow;
}

// On ARM the kernels for any CPU are called armv8; those for Neoverse V1 use vectors of any length.
std::string better_kernels(const std::string& chosen, VectorWidth cpu) {
  if (cpu == VectorWidth::sve) return lower(chosen) == "armv8" ? "NEOVERSEV1" : "";
  if (chosen.empty() || cpu <= width_of_kernels(chosen)) return "";
  if (cpu == VectorWidth::avx512) return "SkylakeX";
  return cpu == VectorWidth::avx2 ? "Haswell" : "Sandybridge";
}

// Makes the library forget its choice and choose again. It keeps only memory, whose size does not depend on
// the kernels.
bool use_kernels(const std::string& name) {
  using Call = void (*)();
  const auto forget = reinterpret_cast<Call>(function_of_blas("gotoblas_dynamic_quit"));
  const auto choose = reinterpret_cast<Call>(function_of_blas("gotoblas_dynamic_init"));
  if (!forget || !choose) return false;
  setenv(kVariable, name.c_str(), 1);
  forget();
  choose();
  unsetenv(kVariable);  // child processes choose for themselves
  return lower(kernels_in_use()) == lower(name);
}

bool choose_kernels() {
  if (std::getenv(kVariable)) return false;
  const std::string better = better_kernels(kernels_in_use(), width_of_cpu());
  return !better.empty() && use_kernels(better);
}

}  // namespace tulle
