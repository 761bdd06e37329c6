#include "binary/collect.hpp"

#include "binary/promise.hpp"
#include "text/duplicates.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/float32.hpp>

#include <algorithm>
#include <memory>

namespace tulle {
namespace {

constexpr std::size_t kBlockCells = std::size_t{1} << 22;
constexpr std::size_t kSliceTile =
    32;  // slices transposed together, which fill whole cache lines of the result

using Cell = Odometer::Cell;

std::string shown_cell(const DataName& data, const Shape& shape, const Cell& cell) {
  std::vector<std::uint64_t> positions;
  for (int mode = 0; mode < shape.order(); ++mode) positions.push_back(cell[mode] + data.first);
  return fmt::format("({})", fmt::join(positions, ", "));
}

[[noreturn]] void fail_at(const DataName& data, const Shape& shape, const Cell& cell, double value) {
  const std::string& name = data.name;
  const std::string place = shown_cell(data, shape, cell);
  if (std::isnan(value))
    fail("{}: cell {} is NaN; replace it[, or have NaN read as missing (@nan-missing)]", name, place);
  if (std::isinf(value)) fail("{}: cell {} is infinite; replace it by a finite number", name, place);
  fail("{}: cell {} is {}, too large for the float32 of a sparse tensor; rescale the values", name, place,
       value);
}

// True if all are finite: x - x is 0 for a finite number and NaN for any other.
bool all_finite(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value - value;
  return sum == 0;
}

class CellCollector {
 public:
  virtual ~CellCollector() = default;
  virtual void append(std::span<const double> values) = 0;  // never more than the shape has cells
  virtual Dataset finish() = 0;                             // once every cell has arrived
};

class Ordered : public CellCollector {
 public:
  Ordered(DataName data, const Shape& shape, CellOrder order)
      : data_(std::move(data)), shape_(shape), order_(order), cells_(shape.cells()) {}

  void append(std::span<const double> values) final {
    if (!all_finite(values)) fail_at_first(values);
    arrived_ += values.size();
    take(values);
  }

 protected:
  virtual void take(std::span<const double> values) = 0;
  const Shape& shape() const { return shape_; }
  std::size_t cells() const { return cells_; }
  std::size_t arrived() const { return arrived_; }

 private:
  [[noreturn]] void fail_at_first(std::span<const double> values) const {
    const auto bad =
        std::find_if_not(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    Odometer odometer(shape_, order_);
    odometer.advance(arrived_ + static_cast<std::size_t>(bad - values.begin()));
    fail_at(data_, shape_, odometer.cell(), *bad);
  }

  DataName data_;
  Shape shape_;
  CellOrder order_;
  std::size_t cells_;
  std::size_t arrived_ = 0;
};

class COrder final : public Ordered {
 public:
  COrder(DataName data, const Shape& shape)
      : Ordered(std::move(data), shape, CellOrder::c), values_(shape.cells()) {}

  Dataset finish() override { return {unnamed_modes(shape().order()), DenseTensor(shape(), values_.take())}; }

 private:
  void take(std::span<const double> values) override { values_.append(values); }

  PromisedVector<double> values_;
};

// The result is in C order, so cells that arrive in succession belong far apart. Slices of the last mode are
// gathered in a block, as many as fit, and transposed together, so that each write fills a run of the
// result.
class FortranOrder final : public Ordered {
 public:
  FortranOrder(DataName data, const Shape& shape)
      : Ordered(std::move(data), shape, CellOrder::fortran),
        slices_(shape[shape.order() - 1]),
        slice_cells_(shape.cells() / slices_) {}

  Dataset finish() override {
    if (result_.empty()) allocate();
    return {unnamed_modes(shape().order()), DenseTensor(shape(), std::move(result_))};
  }

 private:
  void take(std::span<const double> values) override {
    if (!result_.empty()) return gather(values);
    early_.insert(early_.end(), values.begin(), values.end());
    if (early_.size() >= cells() / kPromiseShare) allocate();
  }

  void allocate() {
    result_.resize(cells());
    gather(std::exchange(early_, {}));
  }

  void gather(std::span<const double> values) {
    while (!values.empty()) {
      const std::size_t target = block_target();
      const std::size_t count = std::min(values.size(), target - block_.size());
      block_.insert(block_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
      values = values.subspan(count);
      if (block_.size() == target) flush();
    }
  }

  // The size of the next block: whole slices, or a part of one.
  std::size_t block_target() const {
    if (slice_cells_ > kBlockCells) return std::min(kBlockCells, slice_cells_ - placed_ % slice_cells_);
    return slice_cells_ * std::min(kBlockCells / slice_cells_, slices_ - placed_ / slice_cells_);
  }

  void flush() {
    const std::size_t first = placed_ / slice_cells_;
    const std::size_t start = placed_ % slice_cells_;
    const std::size_t count = std::min(block_.size(), slice_cells_);  // cells of each slice
    const std::size_t slices = block_.size() / count;
    for (std::size_t tile = 0; tile < slices; tile += kSliceTile)
      transpose({block_.data() + tile * count, block_.size() - tile * count}, start, count, first + tile,
                std::min(kSliceTile, slices - tile));
    placed_ += block_.size();
    block_.clear();
  }

  void transpose(std::span<const double> block, std::size_t start, std::size_t count, std::size_t first,
                 std::size_t slices) {
    Odometer odometer(shape(), CellOrder::fortran);
    odometer.advance(start);
    for (std::size_t i = 0; i < count; ++i, odometer.next()) {
      double* const run = result_.data() + odometer.offset_without_last() + first;
      for (std::size_t slice = 0; slice < slices; ++slice) run[slice] = block[slice * count + i];
    }
  }

  std::size_t slices_;
  std::size_t slice_cells_;
  std::vector<double> early_;  // cells that arrived before the result was allocated
  std::vector<double> block_;
  std::size_t placed_ = 0;
  std::vector<double> result_;
};

class WithoutNan final : public CellCollector {
 public:
  WithoutNan(DataName data, const Shape& shape, CellOrder order, bool clamp)
      : data_(std::move(data)),
        shape_(shape),
        odometer_(shape, order),
        clamp_(clamp),
        columns_(shape.order()) {}

  void append(std::span<const double> values) override {
    for (double value : values) {
      if (!std::isnan(value)) {
        const bool too_large = !std::isfinite(static_cast<float>(value));
        if (std::isinf(value) || (too_large && !clamp_)) fail_at(data_, shape_, odometer_.cell(), value);
        for (int mode = 0; mode < shape_.order(); ++mode) columns_[mode].push_back(odometer_.cell()[mode]);
        values_.push_back(to_float32(value));
      }
      odometer_.next();
    }
  }

  Dataset finish() override {
    return {unnamed_modes(shape_.order()),
            SparseTensor(Cells(shape_, std::move(columns_)), std::move(values_), Unlisted::missing)};
  }

 private:
  DataName data_;
  Shape shape_;
  Odometer odometer_;
  bool clamp_;
  std::vector<std::vector<Index>> columns_;
  std::vector<float> values_;
};

std::unique_ptr<CellCollector> collect_cells(const DataName& data, const Shape& shape, CellOrder order,
                                             const ReadOptions& options) {
  if (options.nan_is_missing)
    return std::make_unique<WithoutNan>(data, shape, order, options.clamp_to_float32);
  check_memory(data.name, shape.cells(), sizeof(double));
  if (order == CellOrder::c) return std::make_unique<COrder>(data, shape);
  return std::make_unique<FortranOrder>(data, shape);
}

void check_duplicates(const DataName& data, const Cells& cells) {
  if (const auto twins = first_duplicate(cells))
    fail(
        "{}: cell {} is listed twice, as entries {} and {}; keep one of the two[, or have them merged "
        "(@duplicates mean, last, sum or count)]",
        data.name, shown_cell(data, cells.shape(), cells.cell(twins->second)), twins->first + data.first,
        twins->second + data.first);
}

}  // namespace

Shape shape_in_file(const std::string& name, std::span<const std::uint64_t> dimensions) {
  try {
    Shape shape(dimensions);
    static_cast<void>(shape.cells());
    return shape;
  } catch (const Error& error) {
    fail("{}: {}", name, text_of(error));
  }
}

Dataset read_array(const DataName& data, std::vector<std::uint64_t> dimensions, CellOrder order,
                   const ReadOptions& options, const std::function<void(const TakeNumbers&)>& read) {
  const bool no_cells = options.may_be_empty && std::ranges::count(dimensions, 0u) > 0;
  if (no_cells) std::ranges::replace(dimensions, 0u, 1u);
  const Shape shape = shape_in_file(data.name, dimensions);
  if (no_cells) {
    read([](std::span<const double>) {});
    return {unnamed_modes(shape.order()), SparseTensor(shape, Unlisted::missing)};
  }
  const auto cells = collect_cells(data, shape, order, options);
  read([&](std::span<const double> values) { cells->append(values); });
  return cells->finish();
}

float listed_value(double value, const ReadOptions& options) {
  return options.clamp_to_float32 && std::isfinite(value) ? to_float32(value) : static_cast<float>(value);
}

SparseTensor list_cells(const DataName& data, const Shape& shape, std::vector<std::vector<Index>> columns,
                        std::vector<float> values, Unlisted unlisted, const ReadOptions& options) {
  std::size_t kept = 0;
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    if (options.nan_is_missing && unlisted == Unlisted::missing && std::isnan(values[entry])) continue;
    if (!std::isfinite(values[entry])) {
      Cell cell{};
      for (int mode = 0; mode < shape.order(); ++mode) cell[mode] = columns[mode][entry];
      fail_at(data, shape, cell, values[entry]);
    }
    for (auto& column : columns) column[kept] = column[entry];
    values[kept++] = values[entry];
  }
  for (auto& column : columns) column.resize(kept);
  values.resize(kept);
  Cells cells(shape, std::move(columns));
  if (options.duplicates == Duplicates::refuse) check_duplicates(data, cells);
  return {std::move(cells), std::move(values), unlisted};
}

}  // namespace tulle
