#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

double sum_of_squares(std::span<const double> numbers) {
  double sum = 0;
  for (double number : numbers) sum += number * number;
  return sum;
}

}  // namespace

CellGradient::CellGradient(const ModelLayout& layout) : layout_(&layout) {
  const int order = layout.order();
  for (int mode = 0; mode < order; ++mode) rows_.emplace_back(layout.columns(mode));
  if (!layout.has_core()) {
    before_.assign(1, std::vector<double>(layout.columns(0)));
    return;
  }
  std::size_t size = layout.core_size();
  for (int mode = 0; mode < order; ++mode) {
    after_.emplace_back(size);
    before_.emplace_back(size);  // [0] is the core itself and stays unused
    size /= layout.columns(mode);
  }
  after_.emplace_back(1, 1.0);
}

double CellGradient::at(const double* numbers, std::span<const Index> cell) {
  Rows rows;
  for (int mode = 0; mode < layout_->order(); ++mode) rows[mode] = numbers + layout_->row(mode, cell[mode]);
  return at(rows, numbers + layout_->core_start());
}

double CellGradient::at(const Rows& rows, const double* core) {
  return layout_->has_core() ? tucker(rows, core) : cp(rows);
}

// Products of all rows but one: those before it, then those after it.
double CellGradient::cp(const Rows& rows) {
  const int order = layout_->order();
  const std::size_t rank = layout_->columns(0);
  std::vector<double>& product = before_[0];
  std::fill(product.begin(), product.end(), 1.0);
  for (int mode = 0; mode < order; ++mode)
    for (std::size_t r = 0; r < rank; ++r) {
      rows_[mode][r] = product[r];
      product[r] *= rows[mode][r];
    }
  const double prediction = std::accumulate(product.begin(), product.end(), 0.0);
  std::fill(product.begin(), product.end(), 1.0);
  for (int mode = order - 1; mode >= 0; --mode)
    for (std::size_t r = 0; r < rank; ++r) {
      rows_[mode][r] *= product[r];
      product[r] *= rows[mode][r];
    }
  return prediction;
}

double CellGradient::tucker(const Rows& rows, const double* core) {
  const int order = layout_->order();
  for (int mode = order - 1; mode >= 0; --mode) {
    const std::vector<double>& later = after_[mode + 1];
    for (std::size_t p = 0; p < layout_->columns(mode); ++p)
      for (std::size_t s = 0; s < later.size(); ++s)
        after_[mode][p * later.size() + s] = rows[mode][p] * later[s];
  }
  const double* from = core;
  for (int mode = 0; mode < order; ++mode) {
    const std::vector<double>& later = after_[mode + 1];
    for (std::size_t p = 0; p < layout_->columns(mode); ++p)
      rows_[mode][p] = std::inner_product(later.begin(), later.end(), from + p * later.size(), 0.0);
    if (mode + 1 == order) break;
    std::vector<double>& to = before_[mode + 1];
    std::fill(to.begin(), to.end(), 0.0);
    for (std::size_t p = 0; p < layout_->columns(mode); ++p)
      for (std::size_t s = 0; s < to.size(); ++s) to[s] += rows[mode][p] * from[p * to.size() + s];
    from = to.data();
  }
  return std::inner_product(rows_[0].begin(), rows_[0].end(), rows[0], 0.0);
}

std::span<const double> CellGradient::core() const {
  return layout_->has_core() ? std::span<const double>(after_[0]) : std::span<const double>();
}

double CellGradient::squared_length(int mode) const {
  return sum_of_squares(rows_[mode]);
}

double CellGradient::squared_core_length() const {
  return sum_of_squares(core());
}

double CellGradient::squared_length() const {
  double sum = squared_core_length();
  for (int mode = 0; mode < layout_->order(); ++mode) sum += squared_length(mode);
  return sum;
}

}  // namespace tulle
