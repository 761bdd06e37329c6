// Loads libtulle_cuda.
#pragma once

#include "gpu.hpp"

namespace tulle {

std::unique_ptr<gpu::Gpu> open_gpu(int number);

}  // namespace tulle
