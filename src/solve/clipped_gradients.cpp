#include "strata.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/solve/clipped_gradients.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <numeric>

namespace tulle {
namespace {

// What the CP kernel works on. Beside the row of each position lies its sum of gradients: one trip to memory
// serves both.
struct Work {
  std::array<double*, kMaxOrder> rows;
  std::size_t row_lanes;  // of the numbers of a row; as many follow for the gradient
  const std::uint32_t* words;
  double level, inverse_scale, clip;
};

constexpr std::ptrdiff_t kWordsAhead = 24;  // cells before its visit that a cell's words are asked for
constexpr std::ptrdiff_t kRowsAhead = 6;    // and its rows

// products[m] = product of all numbers but the m-th.
template <int N>
inline __attribute__((always_inline)) void products_without(const Lane* numbers, Lane* products) {
  Lane before = numbers[0];
  products[0] = Lane{} + 1.0;
  for (int m = 1; m < N; ++m) {
    products[m] = before;
    before *= numbers[m];
  }
  Lane after = numbers[N - 1];
  for (int m = N - 2; m >= 0; --m) {
    products[m] *= after;
    after *= numbers[m];
  }
}

// Adds the clipped gradients of the cells. Lanes = 0: rows of any length.
template <int N, int Lanes>
inline __attribute__((always_inline)) void add_cells(const Work& work, std::span<const std::uint64_t> cells) {
  const std::size_t row_lanes = Lanes > 0 ? Lanes : work.row_lanes;
  const std::uint64_t* const last = cells.data() + cells.size() - 1;
  for (const std::uint64_t* cell = cells.data(); cell <= last; ++cell) {
    __builtin_prefetch(work.words + cell[std::min(kWordsAhead, last - cell)] * (N + 1));
    const std::uint32_t* const later = work.words + cell[std::min(kRowsAhead, last - cell)] * (N + 1);
    for (int m = 0; m < N; ++m) {
      const double* const row = work.rows[m] + later[m] * 2 * row_lanes * kLane;
      for (std::size_t line = 0; line < 2 * row_lanes * kLane; line += 8) __builtin_prefetch(row + line, 1);
    }
    const std::uint32_t* const word = work.words + *cell * (N + 1);
    LaneInMemory* rows[N];
    for (int m = 0; m < N; ++m) rows[m] = lanes(work.rows[m] + word[m] * 2 * row_lanes * kLane);
    Lane prediction[2] = {},
         lengths[2][N] = {};  // several sums: one is added to while the others are not ready
#pragma GCC unroll 8
    for (std::size_t l = 0; l < row_lanes; ++l) {
      Lane numbers[N], products[N];
      for (int m = 0; m < N; ++m) numbers[m] = rows[m][l];
      products_without<N>(numbers, products);
      prediction[l % 2] += numbers[0] * products[0];
      for (int m = 0; m < N; ++m) lengths[l % 2][m] += products[m] * products[m];
    }
    prediction[0] += prediction[1];
    Lane squares = {};
    for (int m = 0; m < N; ++m) squares += lengths[0][m] + lengths[1][m];
    const double error = (std::bit_cast<float>(word[N]) - work.level) * work.inverse_scale -
                         (prediction[0][0] + prediction[0][1]);
    const double longest = work.clip / std::sqrt(squares[0] + squares[1]);  // infinite at a length of 0
    const double weight = std::clamp(error, -longest, longest);
#pragma GCC unroll 8
    for (std::size_t l = 0; l < row_lanes; ++l) {
      Lane numbers[N], products[N];
      for (int m = 0; m < N; ++m) numbers[m] = rows[m][l];
      products_without<N>(numbers, products);
      for (int m = 0; m < N; ++m) rows[m][row_lanes + l] += weight * products[m];
    }
  }
}

template <int N>
inline __attribute__((always_inline)) void add_cells_of_order(const Work& work,
                                                              std::span<const std::uint64_t> cells) {
  if constexpr (N == 3) {  // the common order is worth a kernel for each common rank
    if (work.row_lanes == 2) return add_cells<N, 2>(work, cells);
    if (work.row_lanes == 4) return add_cells<N, 4>(work, cells);
    if (work.row_lanes == 8) return add_cells<N, 8>(work, cells);
  }
  add_cells<N, 0>(work, cells);
}

TULLE_MULTIARCH void add_cells(const Work& work, int order, std::span<const std::uint64_t> cells) {
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

// Memory that begins on a cache line and holds nothing yet.
struct FreeLines {
  void operator()(double* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};
using Lines = std::unique_ptr<double[], FreeLines>;

Lines on_lines(std::size_t count) {
  return Lines(new (std::align_val_t{64}) double[count]);
}

std::vector<Index> inverse(const std::vector<Index>& places) {
  std::vector<Index> result(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) result[places[i]] = static_cast<Index>(i);
  return result;
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
  // time, the strata one after the other. So every row is added to in the same order, whoever does it.
  template <class Visit>
  void for_each_block(std::span<const std::uint64_t> cells, const Visit& visit) const {
    for (std::size_t stratum = 0; stratum < strata.count(); ++stratum) {
#pragma omp parallel for schedule(dynamic) if (strata.parts() > 1)
      for (std::size_t part = 0; part < strata.parts(); ++part) {
        const auto [first, last] = strata.cells(stratum, part);
        const auto from = std::lower_bound(cells.begin(), cells.end(), first);
        const auto to = std::lower_bound(from, cells.end(), last);
        if (from != to) visit(part, std::span(from, to));
      }
    }
  }

  std::vector<double> sum_cp(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                             double clip) const;
  std::vector<double> sum_tucker(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                                 double clip) const;

  ModelLayout layout;
  Standard standard;
  Strata strata;
  std::size_t size;
  std::vector<std::vector<Index>> old_positions;  // by mode and new position
};

std::vector<double> CellGradients::Data::sum_cp(std::span<const double> numbers,
                                                std::span<const std::uint64_t> cells, double clip) const {
  const std::size_t rank = layout.columns(0), padded = (rank + kLane - 1) / kLane * kLane;
  Work work{{}, padded / kLane, strata.words(), standard.level, 1 / standard.scale, clip};
  std::vector<Lines> tables;  // by new position: a row, then its sum
  for (int mode = 0; mode < layout.order(); ++mode) {
    const std::size_t rows = layout.shape()[mode];
    double* const table = work.rows[mode] = tables.emplace_back(on_lines(2 * padded * rows)).get();
#pragma omp parallel for schedule(static) if (layout.factor_size(mode) > kWorthThreads)
    for (std::size_t i = 0; i < rows; ++i) {
      double* const row = table + 2 * padded * i;
      std::copy_n(numbers.data() + layout.row(mode, old_positions[mode][i]), rank, row);
      std::fill(row + rank, row + 2 * padded, 0.0);
    }
  }
  for_each_block(cells, [&](std::size_t, auto list) { add_cells(work, layout.order(), list); });
  std::vector<double> sum(layout.size());
  for (int mode = 0; mode < layout.order(); ++mode) {
    const std::size_t rows = layout.shape()[mode];
#pragma omp parallel for schedule(static) if (layout.factor_size(mode) > kWorthThreads)
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(work.rows[mode] + 2 * padded * i + padded, rank,
                  sum.data() + layout.row(mode, old_positions[mode][i]));
  }
  return sum;
}

std::vector<double> CellGradients::Data::sum_tucker(std::span<const double> numbers,
                                                    std::span<const std::uint64_t> cells, double clip) const {
  const int order = layout.order();
  std::vector<double> sum(layout.size());
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
      const double longest = clip / std::sqrt(gradient.squared_length());
      const double weight = std::clamp(error, -longest, longest);
      for (int mode = 0; mode < order; ++mode) {
        double* const to = sum.data() + layout.row(mode, positions[mode]);
        for (std::size_t p = 0; p < layout.columns(mode); ++p) to[p] += weight * gradient.row(mode)[p];
      }
      for (std::size_t p = 0; p < layout.core_size(); ++p) cores[part][p] += weight * gradient.core()[p];
    }
  });
  for (const auto& core : cores)
    for (std::size_t p = 0; p < core.size(); ++p) sum[layout.core_start() + p] += core[p];
  return sum;
}

CellGradients::CellGradients(const SparseTensor& observed, const ModelLayout& layout,
                             const Standard& standard, double share)
    : data_(std::make_unique<Data>(observed, layout, standard, share)) {}
CellGradients::~CellGradients() = default;
CellGradients::CellGradients(CellGradients&&) noexcept = default;

std::size_t CellGradients::size() const {
  return data_->size;
}

std::vector<double> CellGradients::sum(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                                       double clip) const {
  return data_->layout.has_core() ? data_->sum_tucker(numbers, cells, clip)
                                  : data_->sum_cp(numbers, cells, clip);
}

// Fits rows and adds up gradients of slices, one after the other.
class SliceGradients::Worker {
 public:
  Worker(const SliceGradients& slices, std::span<const double> numbers, double ridge)
      : slices_(slices),
        numbers_(numbers),
        ridge_(ridge),
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
    Eigen::Map<Vector>(own_.data(), size) = matrix.ldlt().solve(right);
    return own_;
  }

  // Adds the clipped gradient of a slice to a sum.
  void add(std::size_t slice, double clip, std::vector<double>& sum) {
    const ModelLayout& layout = slices_.layout_;
    if (scratch_.empty()) scratch_.resize(layout.size());
    fit(slice);
    touched_.clear();
    for_each_cell(slice, [&](std::size_t entry, double value, CellGradient::Rows rows) {
      rows[slices_.mode_] = own_.data();
      const double error = value - gradient_.at(rows, core());
      for (int mode = 0; mode < layout.order(); ++mode) {
        if (mode == slices_.mode_) continue;
        const std::size_t at = layout.row(mode, slices_.sorted_.column(mode)[entry]);
        add_to(at, gradient_.row(mode), error);
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
    const double keep = std::min(1.0, clip / std::sqrt(squares));
    for (const Piece& piece : touched_)
      for (std::size_t p = 0; p < piece.size; ++p) {
        sum[piece.start + p] += keep * scratch_[piece.start + p];
        scratch_[piece.start + p] = 0;
      }
  }

 private:
  struct Piece {
    std::size_t start, size;
    auto operator<=>(const Piece&) const = default;
  };

  const double* core() const { return numbers_.data() + slices_.layout_.core_start(); }

  template <class Visit>
  void for_each_cell(std::size_t slice, const Visit& visit) const {
    const SparseTensor& cells = slices_.sorted_;
    for (std::size_t entry = slices_.starts_[slice]; entry < slices_.starts_[slice + 1]; ++entry) {
      CellGradient::Rows rows;
      for (int mode = 0; mode < cells.order(); ++mode)
        rows[mode] = numbers_.data() + slices_.layout_.row(mode, cells.column(mode)[entry]);
      visit(entry, (cells.values()[entry] - slices_.standard_.level) / slices_.standard_.scale, rows);
    }
  }

  void add_to(std::size_t start, std::span<const double> gradient, double weight) {
    for (std::size_t p = 0; p < gradient.size(); ++p) scratch_[start + p] += weight * gradient[p];
    touched_.push_back({start, gradient.size()});
  }

  const SliceGradients& slices_;
  std::span<const double> numbers_;
  double ridge_;
  CellGradient gradient_;
  std::vector<double> own_;
  std::vector<double> scratch_;  // zeros between slices
  std::vector<Piece> touched_;
};

SliceGradients::SliceGradients(const SparseTensor& observed, const ModelLayout& layout, int mode,
                               const Standard& standard)
    : layout_(layout),
      mode_(mode),
      standard_(standard),
      sorted_(observed.shape(), Unlisted::missing),
      starts_(std::size_t{observed.shape()[mode]} + 1) {
  const auto column = observed.column(mode);
  for (Index position : column) ++starts_[position + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::size_t> order(observed.size()), next(starts_.begin(), starts_.end() - 1);
  for (std::size_t entry = 0; entry < observed.size(); ++entry) order[next[column[entry]]++] = entry;
  sorted_ = observed.select(order);
}

// A sum for each of a few pieces of the list, added up in order: their number bounds both memory and threads.
std::vector<double> SliceGradients::sum(std::span<const double> numbers, double ridge,
                                        std::span<const std::uint64_t> slices, double clip) const {
  constexpr std::size_t kPieces = 8;
  const std::size_t piece = std::max<std::size_t>(1, (slices.size() + kPieces - 1) / kPieces);
  std::vector<std::vector<double>> sums(chunk_count(slices.size(), piece));
#pragma omp parallel for schedule(dynamic) if (sums.size() > 1)
  for (std::size_t c = 0; c < sums.size(); ++c) {
    sums[c].resize(layout_.size());
    Worker worker(*this, numbers, ridge);
    for (std::size_t s = c * piece; s < std::min(slices.size(), (c + 1) * piece); ++s)
      worker.add(slices[s], clip, sums[c]);
  }
  std::vector<double> total(layout_.size());
  for (const auto& part : sums)
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
  return total;
}

std::vector<double> SliceGradients::with_own_rows(std::vector<double> numbers, double ridge) const {
  const std::size_t slices = starts_.size() - 1;
  const std::vector<double> shared = numbers;
#pragma omp parallel if (sorted_.size() * layout_.columns(mode_) > kWorthThreads)
  {
    Worker worker(*this, shared, ridge);
#pragma omp for schedule(dynamic, 64)
    for (std::size_t slice = 0; slice < slices; ++slice)
      std::ranges::copy(worker.fit(slice), numbers.begin() + layout_.row(mode_, slice));
  }
  return numbers;
}

}  // namespace tulle
