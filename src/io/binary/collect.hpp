// Builds a tensor from its cells as they are read from a file, in the file's order and in blocks of any size.
#pragma once

#include "binary/element.hpp"
#include "binary/odometer.hpp"

#include <tulle/io/read.hpp>
#include <tulle/tensor/dataset.hpp>

#include <functional>
#include <span>
#include <string>
#include <utility>

namespace tulle {

// The shape that a file states; throws an Error that names the file if no tensor has it.
Shape shape_in_file(const std::string& name, std::span<const std::uint64_t> dimensions);

// The name of the data in messages, and the number of their first position and entry: 1 in a file, 0 in
// memory.
struct DataName {
  DataName(std::string what, std::uint64_t begins = 1) : name(std::move(what)), first(begins) {}

  std::string name;
  std::uint64_t first;
};

// A dense array, whose cells `read` passes on. Memory: the result and a block of at most 32 MiB. With
// `nan_is_missing` the result is a sparse tensor without the cells that are NaN; otherwise an Error names the
// first cell that is not a finite number. If data may be empty, a size of 0 is read as one position without a
// cell.
Dataset read_array(const DataName& data, std::vector<std::uint64_t> dimensions, CellOrder order,
                   const ReadOptions& options, const std::function<void(const TakeNumbers&)>& read);

// The value of a listed cell as float32: infinite if it is too large, unless `options` clamps it.
float listed_value(double value, const ReadOptions& options);

// Listed cells with float32 values; an Error names the first value that is not finite as such. If unlisted
// cells are missing, `options.nan_is_missing` omits NaNs. Several rows for one cell are an Error unless
// `options.duplicates` merges them.
SparseTensor list_cells(const DataName& data, const Shape& shape, std::vector<std::vector<Index>> columns,
                        std::vector<float> values, Unlisted unlisted, const ReadOptions& options);

}  // namespace tulle
