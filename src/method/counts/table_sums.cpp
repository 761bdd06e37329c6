#include "table_sums.hpp"

namespace tulle {

std::vector<double> summed(const Shape& shape, std::span<const double> values, ModeSet modes, ModeSet fewer) {
  std::vector<double> sums(static_cast<std::size_t>(table_cells(shape, fewer)));
  const double* value = values.data();
  for_each_place(shape, modes, fewer, [&](std::size_t place) { sums[place] += *value++; });
  return sums;
}

}  // namespace tulle
