#ifdef TULLE_HAVE_HDF5
#include "binary/hdf5.hpp"

namespace tulle {

void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void for_each_box(std::span<const hsize_t> dimensions, std::size_t most,
                  const std::function<void(const std::vector<hsize_t>& start,
                                           const std::vector<hsize_t>& count, std::size_t cells)>& visit) {
  const std::size_t order = dimensions.size();
  for (hsize_t dimension : dimensions)
    if (dimension == 0) return;

  // Boxes contain modes after `cut` as a whole, a range of `cut`, and one position of each mode before it.
  std::vector<hsize_t> count(order, 1);
  std::size_t cells = 1;
  std::size_t cut = order;
  while (cut > 0) {
    --cut;
    count[cut] = std::min<hsize_t>(dimensions[cut], std::max<std::size_t>(most / cells, 1));
    cells *= count[cut];
    if (count[cut] < dimensions[cut]) break;
  }
  if (order == 0) return visit({}, {}, 1);

  std::vector<hsize_t> start(order, 0);
  const hsize_t step = count[cut];
  while (true) {
    count[cut] = std::min<hsize_t>(step, dimensions[cut] - start[cut]);
    visit(start, count, cells / step * count[cut]);
    start[cut] += step;
    std::size_t mode = cut;
    while (start[mode] >= dimensions[mode]) {
      if (mode == 0) return;
      start[mode--] = 0;
      ++start[mode];
    }
  }
}

}  // namespace tulle
#endif
