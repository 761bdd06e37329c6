// The changes to a relation's table that its keys `values` and `drop` state.
#pragma once

#include <tulle/io/study.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>
#include <string>
#include <vector>

namespace tulle {

Transform transform_of(std::string_view name);  // throws a UsageError that lists the names if there is none
void transform_values(std::span<float> values, Transform transform);

// The data without some positions of the last mode, which count from 1; later positions move up. Throws an
// Error, which begins with `where`, if a position does not exist or none would be left.
SparseTensor without_positions(const SparseTensor& data, const std::vector<int>& dropped,
                               const std::string& where);

}  // namespace tulle
