#include "blas_kernels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tulle {
namespace {

// A CPU that OpenBLAS does not know by name gets the kernels of the oldest one.
TEST(BlasKernels, AreThoseOfTheWidestVectorsThatTheCpuHas) {
  EXPECT_EQ(better_kernels("Prescott", VectorWidth::avx512), "SkylakeX");
  EXPECT_EQ(better_kernels("Prescott", VectorWidth::avx2), "Haswell");
  EXPECT_EQ(better_kernels("Nehalem", VectorWidth::avx), "Sandybridge");
  EXPECT_EQ(better_kernels("Haswell", VectorWidth::avx512), "SkylakeX");
  EXPECT_EQ(better_kernels("armv8", VectorWidth::sve), "NEOVERSEV1");
}

TEST(BlasKernels, StayWhereTheyUseWhatTheCpuHas) {
  EXPECT_EQ(better_kernels("SkylakeX", VectorWidth::avx512), "");
  EXPECT_EQ(better_kernels("Zen", VectorWidth::avx2), "");
  EXPECT_EQ(better_kernels("Prescott", VectorWidth::narrow), "");
  EXPECT_EQ(better_kernels("neoversev1", VectorWidth::sve), "");
  EXPECT_EQ(better_kernels("neoversen1", VectorWidth::narrow), "");
  EXPECT_EQ(better_kernels("", VectorWidth::avx512), "");  // not OpenBLAS
}

TEST(BlasKernels, NothingIsLeftToChoose) {
  if (!std::getenv("OPENBLAS_CORETYPE")) {
    EXPECT_EQ(better_kernels(kernels_in_use(), width_of_cpu()), "");
  }
  EXPECT_FALSE(choose_kernels());
}

// In a process of its own: the choice holds for all of it. These kernels run on every CPU of their kind.
TEST(BlasKernels, AreChosenAgain) {
#if defined(__x86_64__)
  const std::string for_all = "Prescott";
#else
  const std::string for_all = "ARMV8";
#endif
  const auto change_and_leave = [&] {
    const bool taken = use_kernels(for_all);
    std::exit(taken && !std::getenv("OPENBLAS_CORETYPE") ? 0 : 1);
  };
  EXPECT_EXIT(change_and_leave(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tulle
