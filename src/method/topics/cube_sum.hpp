// Sums of many rank-one tensors.
#pragma once

#include <tulle/solve/topics/power.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstdint>

namespace tulle {

inline constexpr Eigen::Index kCubePanel = 4096;  // rows that are added at a time

// tensor += sum over the rows r of a_r x b_r x c_r. The same for any number of threads.
void add_cubes(const Matrix& a, const Matrix& b, const Matrix& c, Cube& tensor);

// How much further than the exact sum the computed one may move when one of `count` summands of norm at most
// 1 is replaced: what rounding does, in L2, to `numbers` sums that are added up by panels.
double rounding_of_sums(std::uint64_t count, std::uint64_t numbers);

}  // namespace tulle
