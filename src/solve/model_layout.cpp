#include <tulle/base/error.hpp>
#include <tulle/solve/model_layout.hpp>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

double squares(std::span<const double> numbers) {
  double sum = 0;
  for (double number : numbers) sum += number * number;
  return sum;
}

}  // namespace

ModelLayout::ModelLayout(const Shape& shape, std::vector<std::size_t> columns, bool has_core)
    : shape_(shape), columns_(std::move(columns)), has_core_(has_core) {
  std::size_t core = 1;
  for (int mode = 0; mode < order(); ++mode) {
    starts_[mode + 1] = starts_[mode] + factor_size(mode);
    core *= columns_[mode];
  }
  size_ = starts_[order()] + (has_core_ ? core : 0);
}

ModelLayout ModelLayout::cp(const Shape& shape, int rank) {
  if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
  return {shape, std::vector<std::size_t>(shape.order(), static_cast<std::size_t>(rank)), false};
}

ModelLayout ModelLayout::tucker(const Shape& shape, const std::vector<int>& ranks) {
  if (ranks.size() != static_cast<std::size_t>(shape.order()))
    fail_usage("{} ranks for {} modes; give one for all, or one per mode", ranks.size(), shape.order());
  for (int rank : ranks)
    if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
  return {shape, {ranks.begin(), ranks.end()}, true};
}

ModelLayout ModelLayout::with(int mode, std::uint64_t size) const {
  return {shape_.with(mode, size), columns_, has_core_};
}

Model ModelLayout::model(std::span<const double> numbers, double level, double scale) const {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < order(); ++mode)
    factors.push_back(Eigen::Map<const Matrix>(numbers.data() + start(mode), shape_[mode],
                                               static_cast<Eigen::Index>(columns(mode))));
  if (!has_core_) {
    const Vector weights = Vector::Constant(static_cast<Eigen::Index>(columns(0)), scale);
    return Cp{weights, std::move(factors), {.global = level, .offsets = {}}};
  }
  DenseTensor core(Shape(std::vector<std::uint64_t>(columns_.begin(), columns_.end())));
  for (std::size_t i = 0; i < core.size(); ++i) core.values()[i] = scale * numbers[core_start() + i];
  return Tucker{std::move(core), std::move(factors), {.global = level, .offsets = {}}};
}

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
  return squares(rows_[mode]);
}

double CellGradient::squared_core_length() const {
  return squares(core());
}

double CellGradient::squared_length() const {
  double sum = squared_core_length();
  for (int mode = 0; mode < layout_->order(); ++mode) sum += squared_length(mode);
  return sum;
}

}  // namespace tulle
