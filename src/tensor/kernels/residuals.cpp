#include <tulle/base/chunks.hpp>
#include <tulle/tensor/kernels/residuals.hpp>
#include <tulle/tensor/kernels/sweep.hpp>
#include <tulle/tensor/unfold.hpp>

#include <array>

namespace tulle {

double squared_residuals(const SparseTensor& cells, std::span<const Panel> factors,
                         std::span<const Vector> offsets, double level, double scale) {
  const int order = cells.order(), stride = factors[0].stride();
  const auto square = [&](std::size_t e) {
    std::array<const double*, kMaxOrder> row;
    double prediction = 0;
    for (int mode = 0; mode < order; ++mode) {
      const Index position = cells.column(mode)[e];
      row[mode] = factors[mode].row(position);
      prediction += offsets[mode][position];
    }
    for (int r = 0; r < stride; ++r) {
      double product = row[0][r];
      for (int mode = 1; mode < order; ++mode) product *= row[mode][r];
      prediction += product;
    }
    const double error = cells.values()[e] - level - scale * prediction;
    return error * error;
  };
  return chunked_sum(cells.size(), [&](std::size_t begin, std::size_t end) {
    double squares = 0;
    for (std::size_t e = begin; e < end; ++e) squares += square(e);
    return squares;
  });
}

double squared_residuals(const SortedEntries& cells, const DenseTensor& core, std::span<const Matrix> factors,
                         std::span<const Vector> offsets, double level, double scale) {
  const DenseTensor by_level = permute(core, cells.modes);
  const Contraction::Shared shared(cells, factors, 0, by_level.values());
  return chunked_sum(cells.size(), [&](std::size_t begin, std::size_t end) {
    Contraction contraction(shared);
    double sum = 0;
    for (std::size_t e = begin; e < end; ++e) {
      double error = cells.values[e] / scale - *contraction.at(e) - level;
      if (!offsets.empty())
        for (int l = 0; l < cells.levels(); ++l) error -= offsets[cells.modes[l]][cells.position(l, e)];
      sum += error * error;
    }
    return sum;
  });
}

}  // namespace tulle
