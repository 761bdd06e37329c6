// Writing MATLAB files: version 5, uncompressed, or 7.3 (HDF5) where a variable passes what version 5 can
// hold. A dense tensor is the variable "tensor", a sparse matrix too; other sparse tensors are the arguments
// of sptensor(subs, vals, shape) in the Tensor Toolbox.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <string>

namespace tulle {

inline constexpr const char* kMatTensor = "tensor";
inline constexpr std::uint64_t kMat5Limit = std::uint64_t{1} << 31;  // bytes of a variable

void write_mat_within(const std::string& path, const Dataset& data, std::uint64_t mat5_limit);

}  // namespace tulle
