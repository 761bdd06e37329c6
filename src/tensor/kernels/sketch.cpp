#include <tulle/tensor/kernels/sketch.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kLeastPeriod = 32;  // numbers that are added side by side

bool worth_sharing_sketch(const RowsInMemoryOf<float>& x) {
  return static_cast<std::size_t>(x.size()) > kWorthWaiting;
}

// Several rows, each `step` after the one before, in one pass over the sums.
template <int Rows>
void add_rows(const RowsInMemoryOf<float>& x, std::span<const double> signs, std::size_t first,
              std::size_t step, std::vector<double>& sums) {
  const std::size_t columns = sums.size();
  const float* row[Rows];
  double sign[Rows];
  for (int r = 0; r < Rows; ++r) {
    row[r] = x.data() + (first + static_cast<std::size_t>(r) * step) * columns;
    sign[r] = signs[first + static_cast<std::size_t>(r) * step];
  }
  for (std::size_t j = 0; j < columns; ++j)
    for (int r = 0; r < Rows; ++r) sums[j] += sign[r] * row[r][j];
}

}  // namespace

void add_sketch(const RowsInMemoryOf<float>& x, std::span<const double> signs, std::size_t width,
                double* sums) {
  const std::size_t columns = signs.size(), period = chunk_count(kLeastPeriod, width) * width;
#pragma omp parallel if (worth_sharing_sketch(x))
  {
    std::vector<double> parts(period);
#pragma omp for
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      const float* const row = x.data() + i * x.cols();
      double* const to = sums + static_cast<std::size_t>(i) * width;
      std::ranges::fill(parts, 0.0);
      for (std::size_t first = 0; first < columns; first += period) {
        const std::size_t count = std::min(period, columns - first);
        for (std::size_t j = 0; j < count; ++j) parts[j] += signs[first + j] * row[first + j];
      }
      for (std::size_t first = 0; first < period; first += width)
        for (std::size_t l = 0; l < width; ++l) to[l] += parts[first + l];
    }
  }
}

void add_transposed_sketch(const RowsInMemoryOf<float>& x, std::span<const double> signs, std::size_t width,
                           double* sums) {
  const std::size_t rows = signs.size(), columns = static_cast<std::size_t>(x.cols());
#pragma omp parallel if (worth_sharing_sketch(x))
  {
    std::vector<double> parts(columns);
#pragma omp for
    for (std::size_t l = 0; l < width; ++l) {
      std::ranges::fill(parts, 0.0);
      std::size_t i = l;
      for (; i + 3 * width < rows; i += 4 * width) add_rows<4>(x, signs, i, width, parts);
      for (; i < rows; i += width) add_rows<1>(x, signs, i, width, parts);
      for (std::size_t j = 0; j < columns; ++j) sums[j * width + l] += parts[j];
    }
  }
}

}  // namespace tulle
