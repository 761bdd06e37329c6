#include "solve/device_conformance.hpp"

#include <tulle/base/error.hpp>
#include <tulle/cuda/cuda_device.hpp>
#include <tulle/solve/cp/complete_als.hpp>

namespace tulle {
namespace {

// The first GPU, where there is one.
std::vector<const Device*> gpus() {
  try {
    return {&cuda()};
  } catch (const Error&) {
    return {};
  }
}

INSTANTIATE_TEST_SUITE_P(Cuda, DeviceConformance, ::testing::ValuesIn(gpus()), name_of_device);

std::string refusal_of(const std::string& name) {
  try {
    device_of(name);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(CudaDevice, NamesOfDevices) {
  EXPECT_EQ(device_of("cpu").name(), "cpu");
  for (const char* name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", ""})
    EXPECT_NE(refusal_of(name).find("is unknown; it is one of: cpu, cuda, cuda:N"), std::string::npos)
        << name;
}

TEST(CudaDevice, SaysWhatIsMissing) {
  EXPECT_NE(refusal_of("cuda:1000").find("GPU"), std::string::npos);
  if (gpus().empty()) {
    EXPECT_NE(refusal_of("cuda").find("GPU"), std::string::npos);
  }
}

// A whole fit, many sweeps long: rounding grows, and the models agree all the same. The second run has the
// same bits.
TEST(CudaDevice, CompletesAsTheCpuDoes) {
  if (gpus().empty()) GTEST_SKIP() << refusal_of("cuda");
  const SparseTensor observed = samples::sparse(Shape{40, 30, 20}, 0.2, 3, Unlisted::missing);
  CpCompletionAlsOptions options{.rank = 3, .biases = true};
  options.control.max_iterations = 10;
  const Cp expected = complete_cp_als(observed, options).model;
  options.control.device = &cuda();
  const Cp found = complete_cp_als(observed, options).model, again = complete_cp_als(observed, options).model;
  EXPECT_EQ(found.factors, again.factors);
  for (std::size_t mode = 0; mode < found.factors.size(); ++mode)
    conformance::expect_near(found.factors[mode], expected.factors[mode], 1e-8);
}

}  // namespace
}  // namespace tulle
