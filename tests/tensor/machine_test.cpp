#include <tulle/tensor/machine.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// The library that the project's own set-up installs is OpenBLAS.
TEST(Machine, NamesTheBlasAndItsKernels) {
  const std::string text = blas_in_use();
  EXPECT_TRUE(text.starts_with("OpenBLAS 0.")) << text;
  EXPECT_NE(text.find(", kernels for "), std::string::npos) << text;
}

TEST(Machine, NamesVectorInstructions) {
  EXPECT_FALSE(vector_instructions().empty());
}

}  // namespace
}  // namespace tulle
