#include "gpu_library.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Whether the library, the driver or the GPU is missing: one line that says so.
TEST(GpuLibrary, OpensAGpuOrSaysWhatIsMissing) {
  try {
    EXPECT_FALSE(open_gpu(0)->name().empty());
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("no GPU: ")) << error.what();
  }
}

TEST(GpuLibrary, CountsGpusFromZero) {
  try {
    open_gpu(1000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("GPU"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tulle
