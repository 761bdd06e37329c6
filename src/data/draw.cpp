#include "draw.hpp"

#include <algorithm>
#include <cmath>

namespace tulle {

std::size_t share(double fraction, std::size_t items) {
  return static_cast<std::size_t>(std::llround(fraction * static_cast<double>(items)));
}

// Pieces of fixed size each have a stream of noise, whichever thread works on them.
void add_noise(std::span<double> values, double deviation, std::uint64_t seed) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const std::size_t pieces = (values.size() + kPiece - 1) / kPiece;
#pragma omp parallel for schedule(static) if (pieces > 1)
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    Random random = random_for(Use::noise, seed, piece);
    const std::size_t begin = piece * kPiece;
    for (double& value : values.subspan(begin, std::min(kPiece, values.size() - begin)))
      value += deviation * random.normal();
  }
}

Lister::Lister(const DenseTensor& tensor, std::size_t count) : tensor_(tensor), columns_(tensor.order()) {
  for (auto& column : columns_) column.reserve(count);
  values_.reserve(count);
}

void Lister::list(std::size_t number) {
  values_.push_back(static_cast<float>(tensor_.values()[number]));
  for (int mode = tensor_.order() - 1; mode >= 0; --mode) {
    const Index size = tensor_.shape()[mode];
    columns_[mode].push_back(static_cast<Index>(number % size));
    number /= size;
  }
}

SparseTensor Lister::finish() {
  return {Cells(tensor_.shape(), std::move(columns_)), std::move(values_), Unlisted::missing};
}

}  // namespace tulle
