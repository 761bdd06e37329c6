// Writing MATLAB files: version 5, uncompressed, or 7.3 (HDF5) if a variable is too large for version 5. A
// dense tensor or a sparse matrix is the variable "tensor"; other sparse tensors are the arguments of
// sptensor(subs, vals, shape) in the Tensor Toolbox.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <string>

namespace tulle {

inline constexpr const char* kMatTensor = "tensor";
inline constexpr std::uint64_t kMat5Limit = std::uint64_t{1} << 31;  // bytes of a variable

void write_mat_within(const std::string& path, const Dataset& data, std::uint64_t mat5_limit);

}  // namespace tulle
