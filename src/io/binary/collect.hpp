// Builds a tensor from its cells as they arrive from a file, in the file's order and in blocks of any size.
#pragma once

#include "binary/odometer.hpp"

#include <tulle/tensor/dataset.hpp>

#include <memory>
#include <span>
#include <string>

namespace tulle {

// The shape a file states; an Error that names the file when it is none of a tensor.
Shape shape_in_file(const std::string& name, std::span<const std::uint64_t> dimensions);

class CellCollector {
 public:
  virtual ~CellCollector() = default;
  virtual void append(std::span<const double> values) = 0;  // never more than the shape has cells
  virtual Dataset finish() = 0;                             // once every cell has arrived
};

// Memory: the result and a block of at most 32 MiB. With `nan_is_missing` the result is a sparse tensor
// without the cells that are NaN. An Error names the first cell that is not a finite number otherwise.
std::unique_ptr<CellCollector> collect_cells(const std::string& name, const Shape& shape, CellOrder order,
                                             bool nan_is_missing);

// Listed cells, their values in float32: an Error names the first that is not finite there. `nan_is_missing`
// leaves the NaNs out where what is not listed is missing.
SparseTensor list_cells(const std::string& name, const Shape& shape, std::vector<std::vector<Index>> columns,
                        std::vector<float> values, Unlisted unlisted, bool nan_is_missing);

}  // namespace tulle
