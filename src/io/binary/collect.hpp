// Builds a tensor from its cells as they arrive from a file, in the file's order and in blocks of any size.
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

// The shape a file states; an Error that names the file when it is none of a tensor.
Shape shape_in_file(const std::string& name, std::span<const std::uint64_t> dimensions);

// What messages call the data, and where their positions and entries begin: at 1 in a file, at 0 in memory.
struct DataName {
  DataName(std::string what, std::uint64_t begins = 1) : name(std::move(what)), first(begins) {}

  std::string name;
  std::uint64_t first;
};

// A dense array, all cells of which `read` hands over. Memory: the result and a block of at most 32 MiB. With
// `nan_is_missing` the result is a sparse tensor without the cells that are NaN. An Error names the first
// cell that is not a finite number otherwise. Where data may be empty, a size of 0 is one position without a
// cell.
Dataset read_array(const DataName& data, std::vector<std::uint64_t> dimensions, CellOrder order,
                   const ReadOptions& options, const std::function<void(const TakeNumbers&)>& read);

// A value of a listed cell: infinite if it is too large for float32, unless it is to be clamped.
float listed_value(double value, const ReadOptions& options);

// Listed cells, their values in float32: an Error names the first that is not finite there.
// `options.nan_is_missing` leaves the NaNs out where what is not listed is missing. Rows of one cell are an
// Error unless `options.duplicates` has them merged.
SparseTensor list_cells(const DataName& data, const Shape& shape, std::vector<std::vector<Index>> columns,
                        std::vector<float> values, Unlisted unlisted, const ReadOptions& options);

}  // namespace tulle
