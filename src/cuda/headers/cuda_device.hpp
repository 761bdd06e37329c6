// GPUs as devices of fits. Their kernels are in a library of its own, libtulle_cuda, which is loaded when a
// GPU is asked for: programs need no CUDA to start.
#pragma once

#include <tulle/solve/device.hpp>

#include <string>

namespace tulle {

// The GPU of this number, from 0; it lives as long as the program. An Error that says what is missing: the
// library, a GPU, or a driver.
const Device& cuda(int number = 0);

// cpu, cuda or cuda:N. A UsageError for any other name.
const Device& device_of(const std::string& name);

}  // namespace tulle
