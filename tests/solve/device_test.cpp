#include "solve/device_conformance.hpp"

namespace tulle {

INSTANTIATE_TEST_SUITE_P(Cpu, DeviceConformance, ::testing::Values(&cpu()), name_of_device);

}  // namespace tulle
