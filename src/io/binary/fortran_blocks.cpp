#include "binary/fortran_blocks.hpp"

#include "binary/odometer.hpp"

namespace tulle {

void for_each_fortran_block(const DenseTensor& tensor, const TakeNumbers& take) {
  constexpr std::size_t kBlockCells = std::size_t{1} << 22;
  constexpr std::size_t kTile = 32;  // slices read together, which are whole cache lines of the tensor
  const Shape& shape = tensor.shape();
  const int last = shape.order() - 1;
  const std::size_t slice = tensor.size() / shape[last];
  const std::size_t together = std::max<std::size_t>(kBlockCells / slice, 1);
  std::vector<double> block;
  for (std::size_t first = 0; first < shape[last]; first += together) {
    const std::size_t slices = std::min<std::size_t>(together, shape[last] - first);
    block.resize(slices * slice);
    for (std::size_t tile = 0; tile < slices; tile += kTile) {
      const std::size_t end = std::min(tile + kTile, slices);
      Odometer odometer(shape, CellOrder::fortran);
      for (std::size_t cell = 0; cell < slice; ++cell, odometer.next()) {
        const double* const run = tensor.values().data() + odometer.offset_without_last() + first;
        for (std::size_t k = tile; k < end; ++k) block[k * slice + cell] = run[k];
      }
    }
    take(block);
  }
}

}  // namespace tulle
