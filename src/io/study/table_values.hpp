// What the keys `values` and `drop` of a relation make of its table.
#pragma once

#include <tulle/io/study.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>
#include <string>
#include <vector>

namespace tulle {

Transform transform_of(std::string_view name);  // a UsageError that lists the names when there is none
void transform_values(std::span<float> values, Transform transform);

// Without some positions of the last mode, which are counted from 1; those behind them move up. An Error,
// which begins with `where`, for a position that is not there, or where none is left.
SparseTensor without_positions(const SparseTensor& data, const std::vector<int>& dropped,
                               const std::string& where);

}  // namespace tulle
