#include <tulle/base/chunks.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/group_entries.hpp>
#include <tulle/tensor/kernels/cell_gradient.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>
#include <tulle/tensor/most_cells.hpp>
#include <tulle/tensor/strata.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <numeric>

namespace tulle {

// Memory that begins on a cache line and holds nothing yet.
struct FreeLines {
  void operator()(double* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};
using Lines = std::unique_ptr<double[], FreeLines>;

namespace {

// Steps of a SumGrid, added up as whole numbers. A number plus the grid's shift, 1.5 * 2^52 steps, is a
// double whose lowest 51 bits count the steps that the number is rounded to, and whose other bits are always
// the same: added up as whole numbers, the doubles have the sum of the steps in their lowest 51 bits, while
// it is below 2^50. That is one addition less than to take the shift off first.
using Count = std::uint64_t;
using CountLane = Count __attribute__((vector_size(32)));
typedef Count CountLaneInMemory __attribute__((vector_size(32), aligned(8), may_alias));

inline __attribute__((always_inline)) CountLane counted(WideLane with_shift) {
  return std::bit_cast<CountLane>(with_shift);
}

double from_count(Count count, const SumGrid& grid) {
  return static_cast<double>(static_cast<std::int64_t>(count << 13) >> 13) * grid.step();
}

// What the CP kernel works on. Beside the row of each position, in floats, lies its sum of gradients, in
// steps of a grid: one trip to memory serves both.
struct Work {
  std::array<double*, kMaxOrder> rows;
  std::size_t row_lanes;  // of the floats of a row
  const std::uint32_t* words;
  double level, inverse_scale, clip;
  double shift;  // of the grid

  static std::size_t stride(std::size_t lanes) { return 6 * lanes; }  // 4 floats and 4 counts a lane
};

// The length that a gradient of `numbers` numbers is clipped to, so that no more than `clip` is added: it is
// off by `rounding`, relative to its length, and rounding to the grid makes it longer by at most
// sqrt(numbers) / 2 steps.
double shortened(double clip, double rounding, double numbers, const SumGrid& grid) {
  return std::max(0.0, clip * (1 - rounding) - std::sqrt(numbers) * grid.step());
}

// The rounding, as above, of a gradient that is computed in doubles from as many squares.
double rounding_of(double numbers) {
  return (numbers + 16) * 0x1p-51;
}

// The same in floats: a squared length is off by half a unit in the last place for each of the additions that
// one part of it went through, and by what is too small for a float.
constexpr float kUnderflow = 1e-30F;
double rounding_of_floats(int order, std::size_t row_lanes) {
  return static_cast<double>(static_cast<std::size_t>(order) * row_lanes + 16) * 0x1p-23;
}

// products[m] = product of all numbers but the m-th.
template <int N>
inline __attribute__((always_inline)) void products_without(const FloatLane* numbers, FloatLane* products) {
  FloatLane before = numbers[0];
  products[0] = FloatLane{} + 1.0F;
  for (int m = 1; m < N; ++m) {
    products[m] = before;
    before *= numbers[m];
  }
  FloatLane after = numbers[N - 1];
  for (int m = N - 2; m >= 0; --m) {
    products[m] *= after;
    after *= numbers[m];
  }
}

constexpr std::size_t kTogether = 16;  // cells that are seen to at a time
constexpr std::size_t kRowsAhead = 16,
                      kWordsAhead = 32;  // cells before its visit that a cell's are asked for

// The rows of a cell, and where their gradients go.
template <int N>
struct CellRows {
  const FloatLaneInMemory* rows[N];
  CountLaneInMemory* sums[N];

  inline __attribute__((always_inline))
  CellRows(const Work& work, const std::uint32_t* word, std::size_t row_lanes) {
    for (int m = 0; m < N; ++m) {
      double* const row = work.rows[m] + word[m] * Work::stride(row_lanes);
      rows[m] = reinterpret_cast<const FloatLaneInMemory*>(row);
      sums[m] = reinterpret_cast<CountLaneInMemory*>(row + 2 * row_lanes);
    }
  }

  inline __attribute__((always_inline)) FloatLane load(std::size_t l, FloatLane* products) const {
    FloatLane numbers[N];
    for (int m = 0; m < N; ++m) numbers[m] = rows[m][l];
    products_without<N>(numbers, products);
    return numbers[0] * products[0];
  }
};

// How much each gradient counts for: its error, less where it is clipped. Vectors of cells need no branch
// that nobody could foresee. Returns how many of the first `count` are not clipped.
inline __attribute__((always_inline)) std::size_t clip_errors(double clip, const float* squares,
                                                              std::size_t count, double* errors) {
  std::size_t whole = 0;
  for (std::size_t i = 0; i < kTogether; ++i) {
    const double longest = clip / std::sqrt(static_cast<double>(squares[i] + kUnderflow));
    const double shorter = errors[i] < longest ? errors[i] : longest;
    const double kept = shorter > -longest ? shorter : -longest;
    whole += i < count && kept == errors[i] ? 1 : 0;
    errors[i] = kept;
  }
  return whole;
}

// Adds the clipped gradients of the cells; returns how many were added whole. Lanes = 0: rows of any length.
// The gradient of a cell depends on a chain of operations, from its rows to the square root of their
// gradient's length, so several cells take each step of it together.
template <int N, int Lanes>
inline __attribute__((always_inline)) std::size_t add_cells(const Work& work,
                                                            std::span<const std::uint64_t> cells) {
  const std::size_t row_lanes = Lanes > 0 ? Lanes : work.row_lanes, stride = Work::stride(row_lanes);
  const auto word_of = [&](std::size_t cell) {
    return work.words + cells[std::min(cell, cells.size() - 1)] * (N + 1);
  };
  std::size_t whole = 0;
  float squares[kTogether] = {};
  double errors[kTogether] = {};
  for (std::size_t begin = 0; begin < cells.size(); begin += kTogether) {
    const std::size_t count = std::min(kTogether, cells.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      __builtin_prefetch(word_of(begin + i + kWordsAhead));
      const std::uint32_t* const later = word_of(begin + i + kRowsAhead);
      for (int m = 0; m < N; ++m)
        for (std::size_t line = 0; line < stride; line += 8)
          __builtin_prefetch(work.rows[m] + later[m] * stride + line, 1);
      const std::uint32_t* const word = word_of(begin + i);
      const CellRows<N> cell(work, word, row_lanes);
      FloatLane prediction = {}, lengths[N] = {};
#pragma GCC unroll 8
      for (std::size_t l = 0; l < row_lanes; ++l) {
        FloatLane products[N];
        prediction += cell.load(l, products);
        for (int m = 0; m < N; ++m) lengths[m] += products[m] * products[m];
      }
      for (int m = 1; m < N; ++m) lengths[0] += lengths[m];
      squares[i] = sum_of(lengths[0]);
      errors[i] = (std::bit_cast<float>(word[N]) - work.level) * work.inverse_scale - sum_of(prediction);
    }
    whole += clip_errors(work.clip, squares, count, errors);
    for (std::size_t i = 0; i < count; ++i) {
      const CellRows<N> cell(work, word_of(begin + i), row_lanes);
#pragma GCC unroll 8
      for (std::size_t l = 0; l < row_lanes; ++l) {
        FloatLane products[N];
        cell.load(l, products);
        for (int m = 0; m < N; ++m) cell.sums[m][l] += counted(errors[i] * widened(products[m]) + work.shift);
      }
    }
  }
  return whole;
}

template <int N>
inline __attribute__((always_inline)) std::size_t add_cells_of_order(const Work& work,
                                                                     std::span<const std::uint64_t> cells) {
  if constexpr (N == 3) {  // the common order is worth a kernel for each common rank
    if (work.row_lanes == 1) return add_cells<N, 1>(work, cells);
    if (work.row_lanes == 2) return add_cells<N, 2>(work, cells);
    if (work.row_lanes == 4) return add_cells<N, 4>(work, cells);
  }
  return add_cells<N, 0>(work, cells);
}

TULLE_MULTIARCH std::size_t add_cells(const Work& work, int order, std::span<const std::uint64_t> cells) {
  switch (order) {
    case 2:
      return add_cells_of_order<2>(work, cells);
    case 3:
      return add_cells_of_order<3>(work, cells);
    case 4:
      return add_cells_of_order<4>(work, cells);
    case 5:
      return add_cells_of_order<5>(work, cells);
    case 6:
      return add_cells_of_order<6>(work, cells);
    case 7:
      return add_cells_of_order<7>(work, cells);
    default:
      return add_cells_of_order<8>(work, cells);
  }
}

Lines on_lines(std::size_t count) {
  return Lines(new (std::align_val_t{64}) double[count]);
}

std::vector<Index> inverse(const std::vector<Index>& places) {
  std::vector<Index> result(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) result[places[i]] = static_cast<Index>(i);
  return result;
}

ClippedSum with_counts(std::vector<double> sum, const std::vector<std::size_t>& whole, std::size_t all) {
  const std::size_t kept = std::accumulate(whole.begin(), whole.end(), std::size_t{0});
  return {std::move(sum), kept, all - kept};
}

// No more than a share of the cells is visited at a time: of those, 1024 make work for a block.
std::size_t cells_per_block(double share) {
  return static_cast<std::size_t>(std::min(1024 / share, 1e18));
}

}  // namespace

struct CellGradients::Data {
  Data(const SparseTensor& observed, const ModelLayout& its_layout, const Standard& its_standard,
       double share)
      : layout(its_layout),
        standard(its_standard),
        strata(observed, cells_per_block(share), Strata::Numbering::by_part),
        size(observed.size()) {
    for (int mode = 0; mode < layout.order(); ++mode)
      old_positions.push_back(inverse(strata.new_positions(mode)));
  }

  // visit(part, cells of the list that lie in the block) for every block: the parts of a stratum at the same
  // time, the strata one after the other. So every row is added to in the same order, whoever does it. A part
  // of the first mode stays with the thread in whose cache it is.
  template <class Visit>
  void for_each_block(std::span<const std::uint64_t> cells, const Visit& visit) const {
    for (std::size_t stratum = 0; stratum < strata.count(); ++stratum) {
#pragma omp parallel for schedule(static) if (strata.parts() > 1)
      for (std::size_t part = 0; part < strata.parts(); ++part) {
        const auto [first, last] = strata.cells(stratum, part);
        const auto from = std::lower_bound(cells.begin(), cells.end(), first);
        const auto to = std::lower_bound(from, cells.end(), last);
        if (from != to) visit(part, std::span(from, to));
      }
    }
  }

  ClippedSum sum_cp(std::span<const double> numbers, std::span<const std::uint64_t> cells, double clip) const;
  ClippedSum sum_tucker(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                        double clip) const;

  ModelLayout layout;
  Standard standard;
  Strata strata;
  std::size_t size;
  std::vector<std::vector<Index>> old_positions;  // by mode and new position
  // By mode and new position: a row, then its sum. Kept from sum to sum: fresh memory would cost more than a
  // tenth of the time of one.
  mutable std::array<Lines, kMaxOrder> tables;
};

ClippedSum CellGradients::Data::sum_cp(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                                       double clip) const {
  const std::size_t rank = layout.columns(0), row_lanes = (rank + kFloatLane - 1) / kFloatLane;
  const std::size_t stride = Work::stride(row_lanes);
  const double largest = std::pow(1e18, 1.0 / (layout.order() - 1));  // squares of products fit into floats
  const SumGrid grid(clip, 4 * most_cells(layout.shape()));           // sums stay below 2^50 steps
  Work work{{},
            row_lanes,
            strata.words(),
            standard.level,
            1 / standard.scale,
            shortened(clip, rounding_of_floats(layout.order(), row_lanes),
                      static_cast<double>(layout.order()) * static_cast<double>(rank), grid),
            grid.shift()};
  for (int mode = 0; mode < layout.order(); ++mode) {
    const std::size_t rows = layout.shape()[mode];
    if (!tables[mode]) tables[mode] = on_lines(stride * rows);
    double* const table = work.rows[mode] = tables[mode].get();
#pragma omp parallel for schedule(static) if (layout.factor_size(mode) > kWorthThreads)
    for (std::size_t i = 0; i < rows; ++i) {
      double* const row = table + stride * i;
      std::fill_n(row, stride, 0.0);
      const double* const from = numbers.data() + layout.row(mode, old_positions[mode][i]);
      std::transform(from, from + rank, reinterpret_cast<float*>(row), [&](double number) {
        return static_cast<float>(std::clamp(number, -largest, largest));
      });
    }
  }
  std::vector<std::size_t> whole(strata.parts());
  for_each_block(cells,
                 [&](std::size_t part, auto list) { whole[part] += add_cells(work, layout.order(), list); });
  std::vector<double> sum(layout.size());
  for (int mode = 0; mode < layout.order(); ++mode) {
    const std::size_t rows = layout.shape()[mode];
#pragma omp parallel for schedule(static) if (layout.factor_size(mode) > kWorthThreads)
    for (std::size_t i = 0; i < rows; ++i) {
      const double* const counts = work.rows[mode] + stride * i + 2 * row_lanes;
      std::transform(counts, counts + rank, sum.data() + layout.row(mode, old_positions[mode][i]),
                     [&](const double& bits) { return from_count(std::bit_cast<Count>(bits), grid); });
    }
  }
  return with_counts(std::move(sum), whole, cells.size());
}

ClippedSum CellGradients::Data::sum_tucker(std::span<const double> numbers,
                                           std::span<const std::uint64_t> cells, double clip) const {
  const int order = layout.order();
  auto touched = static_cast<double>(layout.core_size());
  for (int mode = 0; mode < order; ++mode) touched += static_cast<double>(layout.columns(mode));
  const SumGrid grid(clip, most_cells(layout.shape()));
  const double most = shortened(clip, rounding_of(touched), touched, grid);
  std::vector<double> sum(layout.size());
  std::vector<std::size_t> whole(strata.parts());
  std::vector<CellGradient> gradients(strata.parts(), CellGradient(layout));
  // Every cell touches the core: each part has a sum of its own.
  std::vector<std::vector<double>> cores(strata.parts(), std::vector<double>(layout.core_size()));
  for_each_block(cells, [&](std::size_t part, auto list) {
    CellGradient& gradient = gradients[part];
    for (std::uint64_t cell : list) {
      const std::uint32_t* const word = strata.words() + cell * (order + 1);
      std::array<Index, kMaxOrder> positions;
      for (int mode = 0; mode < order; ++mode) positions[mode] = old_positions[mode][word[mode]];
      const double value = (std::bit_cast<float>(word[order]) - standard.level) / standard.scale;
      const double error = value - gradient.at(numbers.data(), positions);
      const double length = std::sqrt(gradient.squared_length());
      if (!std::isfinite(length) || !std::isfinite(error)) continue;  // counts as clipped
      const double longest = most / length;
      const double weight = std::clamp(error, -longest, longest);
      whole[part] += weight == error ? 1 : 0;
      for (int mode = 0; mode < order; ++mode) {
        double* const to = sum.data() + layout.row(mode, positions[mode]);
        for (std::size_t p = 0; p < layout.columns(mode); ++p)
          to[p] += grid.round(weight * gradient.row(mode)[p]);
      }
      for (std::size_t p = 0; p < layout.core_size(); ++p)
        cores[part][p] += grid.round(weight * gradient.core()[p]);
    }
  });
  for (const auto& core : cores)
    for (std::size_t p = 0; p < core.size(); ++p) sum[layout.core_start() + p] += core[p];
  return with_counts(std::move(sum), whole, cells.size());
}

CellGradients::CellGradients(const SparseTensor& observed, const ModelLayout& layout,
                             const Standard& standard, double share)
    : data_(std::make_unique<Data>(observed, layout, standard, share)) {}
CellGradients::~CellGradients() = default;

std::size_t CellGradients::size() const {
  return data_->size;
}

ClippedSum CellGradients::sum(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                              double clip) const {
  return data_->layout.has_core() ? data_->sum_tucker(numbers, cells, clip)
                                  : data_->sum_cp(numbers, cells, clip);
}

// How many slices there are may be private, so the grid of their sum is for as many as there may be.
constexpr double kMostSlices = 0x1p27;

// Fits rows and adds up gradients of slices, one after the other.
class SliceGradients::Worker {
 public:
  Worker(const SliceGradients& slices, std::span<const double> numbers, double ridge)
      : slices_(slices),
        numbers_(numbers),
        ridge_(ridge),
        touchable_(static_cast<double>(slices.layout_.size() - slices.layout_.factor_size(slices.mode_))),
        gradient_(slices.layout_),
        own_(slices.layout_.columns(slices.mode_)) {}

  // Fits the row of a slice: minimises sum_e (x_e - h_e a)^2 + ridge |a|^2.
  std::span<const double> fit(std::size_t slice) {
    const auto size = static_cast<Eigen::Index>(own_.size());
    Eigen::MatrixXd matrix = ridge_ * Eigen::MatrixXd::Identity(size, size);
    Vector right = Vector::Zero(size);
    for_each_cell(slice, [&](std::size_t, double value, const CellGradient::Rows& rows) {
      gradient_.at(rows, core());
      const Eigen::Map<const Vector> h(gradient_.row(slices_.mode_).data(), size);
      matrix.noalias() += h * h.transpose();
      right += value * h;
    });
    Eigen::Map<Vector>(own_.data(), size) = solve_symmetric(matrix, right);
    return own_;
  }

  // Adds the clipped gradient of a slice to a sum.
  void add(std::size_t slice, double clip, ClippedSum& sum) {
    if (slices_.starts_[slice] == slices_.starts_[slice + 1]) return;
    const ModelLayout& layout = slices_.layout_;
    if (scratch_.empty()) scratch_.resize(layout.size());
    fit(slice);
    touched_.clear();
    for_each_cell(slice, [&](std::size_t entry, double value, CellGradient::Rows rows) {
      rows[slices_.mode_] = own_.data();
      const double error = value - gradient_.at(rows, core());
      for (int mode = 0; mode < layout.order(); ++mode) {
        const Index position = slices_.sorted_.column(mode)[entry];
        if (mode == slices_.mode_ || slices_.tables_.is_constant(mode, position)) continue;
        add_to(layout.row(mode, position), gradient_.row(mode), error);
      }
      if (layout.has_core()) add_to(layout.core_start(), gradient_.core(), error);
    });
    // A row that several cells touch is listed several times, and must count once.
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    double squares = 0;
    for (const Piece& piece : touched_)
      for (std::size_t p = 0; p < piece.size; ++p)
        squares += scratch_[piece.start + p] * scratch_[piece.start + p];
    const SumGrid grid(clip, kMostSlices);
    const double most = shortened(clip, rounding_of(touchable_), touchable_, grid);
    const double keep = std::min(1.0, most / std::sqrt(squares));
    const bool finite = std::isfinite(squares);  // else it adds nothing, and counts as clipped
    ++(finite && keep == 1 ? sum.whole : sum.clipped);
    for (const Piece& piece : touched_)
      for (std::size_t p = 0; p < piece.size; ++p) {
        if (finite) sum.numbers[piece.start + p] += grid.round(keep * scratch_[piece.start + p]);
        scratch_[piece.start + p] = 0;
      }
  }

 private:
  struct Piece {
    std::size_t start, size;
    auto operator<=>(const Piece&) const = default;  // NOLINT(modernize-use-nullptr): it compares with 0
  };

  const double* core() const { return numbers_.data() + slices_.layout_.core_start(); }

  template <class Visit>
  void for_each_cell(std::size_t slice, const Visit& visit) const {
    const SparseTensor& cells = slices_.sorted_;
    for (std::size_t entry = slices_.starts_[slice]; entry < slices_.starts_[slice + 1]; ++entry) {
      CellGradient::Rows rows;
      for (int mode = 0; mode < cells.order(); ++mode)
        rows[mode] = numbers_.data() +
                     slices_.layout_.row(mode, mode == slices_.mode_ ? 0 : cells.column(mode)[entry]);
      const Standard& standard = standard_of(entry);
      visit(entry, (cells.values()[entry] - standard.level) / standard.scale, rows);
    }
  }

  const Standard& standard_of(std::size_t entry) const {
    const SliceTables& tables = slices_.tables_;
    return tables.table_mode < 0 ? tables.standards.front()
                                 : tables.standards[slices_.sorted_.column(tables.table_mode)[entry]];
  }

  void add_to(std::size_t start, std::span<const double> gradient, double weight) {
    for (std::size_t p = 0; p < gradient.size(); ++p) scratch_[start + p] += weight * gradient[p];
    touched_.push_back({start, gradient.size()});
  }

  const SliceGradients& slices_;
  std::span<const double> numbers_;
  double ridge_;
  double touchable_;  // numbers that a slice may touch
  CellGradient gradient_;
  std::vector<double> own_;
  std::vector<double> scratch_;  // zeros between slices
  std::vector<Piece> touched_;
};

SliceGradients::SliceGradients(const SparseTensor& observed, const ModelLayout& layout, int mode,
                               SliceTables tables)
    : layout_(layout), mode_(mode), tables_(std::move(tables)), sorted_(observed.shape(), Unlisted::missing) {
  std::vector<std::size_t> order(observed.size());
  starts_ = group_entries(
      observed.size(), observed.shape()[mode],
      [&](std::size_t entry) { return observed.column(mode)[entry]; },
      [&](std::size_t entry, std::size_t place) { order[place] = entry; });
  sorted_ = observed.select(order);
}

// A sum for each of a few pieces of the list, added up in order: their number bounds both memory and threads.
ClippedSum SliceGradients::sum(std::span<const double> numbers, double ridge,
                               std::span<const std::uint64_t> slices, double clip) const {
  constexpr std::size_t kPieces = 8;
  const std::size_t piece = std::max<std::size_t>(1, (slices.size() + kPieces - 1) / kPieces);
  std::vector<ClippedSum> sums(chunk_count(slices.size(), piece));
#pragma omp parallel for schedule(dynamic) if (sums.size() > 1)
  for (std::size_t c = 0; c < sums.size(); ++c) {
    sums[c].numbers.resize(layout_.size());
    Worker worker(*this, numbers, ridge);
    for (std::size_t s = c * piece; s < std::min(slices.size(), (c + 1) * piece); ++s)
      worker.add(slices[s], clip, sums[c]);
  }
  ClippedSum total{std::vector<double>(layout_.size())};
  for (const ClippedSum& part : sums) {
    for (std::size_t i = 0; i < layout_.size(); ++i) total.numbers[i] += part.numbers[i];
    total.whole += part.whole;
    total.clipped += part.clipped;
  }
  return total;
}

std::vector<double> SliceGradients::with_own_rows(std::span<const double> numbers, double ridge) const {
  const ModelLayout own = own_layout();
  std::vector<double> all(own.size());
  const auto begin = static_cast<std::ptrdiff_t>(layout_.start(mode_));
  std::copy_n(numbers.begin(), begin, all.begin());
  std::copy_backward(numbers.begin() + begin + static_cast<std::ptrdiff_t>(layout_.factor_size(mode_)),
                     numbers.end(), all.end());
#pragma omp parallel if (sorted_.size() * layout_.columns(mode_) > kWorthThreads)
  {
    Worker worker(*this, numbers, ridge);
#pragma omp for schedule(dynamic, 64)
    for (std::size_t slice = 0; slice < slices(); ++slice)
      std::ranges::copy(worker.fit(slice), all.begin() + static_cast<std::ptrdiff_t>(own.row(mode_, slice)));
  }
  return all;
}

}  // namespace tulle
