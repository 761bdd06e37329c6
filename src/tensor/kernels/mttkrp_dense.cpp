#include <tulle/base/chunks.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/khatri_rao.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>
#include <tulle/tensor/kernels/narrow_product.hpp>

namespace tulle {
namespace {

using ConstMap = Eigen::Map<const Matrix>;

// Products with a few columns are cut by their shape into pieces that threads take whole, so that the result
// does not depend on their number: BLAS would cut by threads, and gains little from them on matrices this
// narrow.
constexpr Eigen::Index kLongSide = 4096;  // from here on the result itself is cut
constexpr Eigen::Index kPiece = 512;
constexpr std::size_t kMostPartialSums = 32;

StridedRows columns_of(const ConstMap& a, Eigen::Index first, Eigen::Index count) {
  return {a.data() + first, a.rows(), count, Eigen::OuterStride<>(a.cols())};
}
StridedRows rows_of(const ConstMap& a, Eigen::Index first, Eigen::Index count) {
  return {a.data() + first * a.cols(), count, a.cols(), Eigen::OuterStride<>(a.cols())};
}

// Rows of a Khatri-Rao product, made as they are asked for: all of them together may be far larger than what
// they are made of.
class KhatriRaoRows {
 public:
  KhatriRaoRows(std::span<const Matrix> factors, int rank)
      : head_(khatri_rao(factors.first(factors.empty() ? 0 : factors.size() - 1), rank)),
        last_(factors.empty() ? head_ : Panel(factors.back())) {}

  std::size_t count() const { return head_.rows() * last_.rows(); }
  int rank() const { return head_.columns(); }

  // Rows first, first + 1, .. as the first `count` rows of `rows`.
  void copy(std::size_t first, std::size_t count, Panel& rows) const {
    std::size_t i = first / last_.rows(), j = first % last_.rows();
    for (std::size_t row = 0; row < count; ++row) {
      const double *const a = head_.row(i), *const b = last_.row(j);
      for (int n = 0; n < rows.stride(); n += kLane)
        *lanes(rows.row(row) + n) = *lanes(a + n) * *lanes(b + n);
      if (++j == last_.rows()) {
        j = 0;
        ++i;
      }
    }
  }
  Panel all() const {
    Panel rows(count(), rank());
    copy(0, count(), rows);
    return rows;
  }

 private:
  Panel head_, last_;  // of all factors but the last, and of that one
};

// The memory of an earlier pass is used again: it is large, and fresh memory comes page by page.
void keep_or_make(std::optional<Panel>& c, Eigen::Index rows, int rank) {
  if (!c || c->rows() != static_cast<std::size_t>(rows) || c->columns() != rank)
    c.emplace(static_cast<std::size_t>(rows), rank);
}

// c, of so many rows, is a sum over the pieces of b: add(first, count, right, sum) adds one, of which `right`
// holds the rows of b. Their sums are added up in the order of the pieces.
template <class Add>
void sum_pieces(const KhatriRaoRows& b, std::optional<Panel>& c, Eigen::Index rows, const Add& add) {
  const std::size_t size = std::max<std::size_t>(kPiece, chunk_count(b.count(), kMostPartialSums));
  const std::size_t pieces = chunk_count(b.count(), size);
  keep_or_make(c, rows, b.rank());
  Panel sums(pieces * c->rows(), b.rank());
#pragma omp parallel if (pieces > 1)
  {
    Panel right(size, b.rank());
#pragma omp for schedule(dynamic)
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::size_t first = i * size, count = std::min(size, b.count() - first);
      b.copy(first, count, right);
      add(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count), right.data(),
          sums.row(i * c->rows()));
    }
  }
  const std::size_t numbers = c->rows() * static_cast<std::size_t>(c->stride());
  std::copy_n(sums.data(), numbers, c->data());
  for (std::size_t i = 1; i < pieces; ++i)
    for (std::size_t n = 0; n < numbers; ++n) c->data()[n] += sums.data()[i * numbers + n];
}

// add(first, count, rows) for the pieces of the rows of c, which are zeros when it begins.
template <class Add>
void fill_pieces(std::optional<Panel>& c, Eigen::Index rows, int rank, const Add& add) {
  keep_or_make(c, rows, rank);
#pragma omp parallel for schedule(dynamic)
  for (Eigen::Index first = 0; first < rows; first += kPiece) {
    const Eigen::Index count = std::min(kPiece, rows - first);
    double* const piece = c->row(static_cast<std::size_t>(first));
    std::fill_n(piece, count * c->stride(), 0.0);
    add(first, count, piece);
  }
}

// c = a * b
void multiply(const ConstMap& a, const KhatriRaoRows& b, std::optional<Panel>& c) {
  if (a.rows() < kLongSide) {
    sum_pieces(b, c, a.rows(), [&](Eigen::Index first, Eigen::Index count, const double* right, double* sum) {
      add_narrow_product(columns_of(a, first, count), right, c->columns(), c->stride(), sum);
    });
    return;
  }
  const Panel right = b.all();
  fill_pieces(c, a.rows(), b.rank(), [&](Eigen::Index first, Eigen::Index count, double* piece) {
    add_narrow_product(rows_of(a, first, count), right.data(), right.columns(), right.stride(), piece);
  });
}

// c = a^T * b
void multiply_transposed(const ConstMap& a, const KhatriRaoRows& b, std::optional<Panel>& c) {
  if (a.cols() < kLongSide) {
    sum_pieces(b, c, a.cols(), [&](Eigen::Index first, Eigen::Index count, const double* right, double* sum) {
      add_narrow_transposed_product(rows_of(a, first, count), right, c->columns(), c->stride(), sum);
    });
    return;
  }
  const Panel right = b.all();
  fill_pieces(c, a.cols(), b.rank(), [&](Eigen::Index first, Eigen::Index count, double* piece) {
    add_narrow_transposed_product(columns_of(a, first, count), right.data(), right.columns(), right.stride(),
                                  piece);
  });
}

Eigen::Index cells(const Shape& shape, int first, int last) {
  Eigen::Index product = 1;
  for (int mode = first; mode < last; ++mode) product *= shape[mode];
  return product;
}

// sums += left * sum over r of block[r] * right[r], all of them rows as long as those of `right`.
TULLE_MULTIARCH void add_weighted_rows(const double* block, const Panel& right, const double* left,
                                       double* sums) {
  const auto stride = static_cast<std::size_t>(right.stride());
  for (std::size_t column = 0; column < stride; column += 2 * kLane) {
    Lane inner[2] = {};
    for (std::size_t at = column; at < right.rows() * stride; at += stride)
      for (int l = 0; l < 2; ++l) inner[l] += lanes(block + at)[l] * lanes(right.data() + at)[l];
    for (int l = 0; l < 2; ++l) lanes(sums + column)[l] += inner[l] * lanes(left + column)[l];
  }
}

// partial[(before, i, after), r], summed over before and after with the weights left[before, r] *
// right[after, r]. A piece of the rows i keeps to neighbouring memory for each `before`.
void contract(const Panel& partial, const Panel& left, const Panel& right, Matrix& result) {
  constexpr std::size_t kRows = 16;
  const std::size_t size = partial.rows() / (left.rows() * right.rows());
  result.resize(static_cast<Eigen::Index>(size), partial.columns());
#pragma omp parallel for schedule(dynamic) if (partial.rows() * partial.columns() > 1 << 15)
  for (std::size_t first = 0; first < size; first += kRows) {
    Panel sums(std::min(kRows, size - first), partial.columns());
    for (std::size_t before = 0; before < left.rows(); ++before)
      for (std::size_t i = 0; i < sums.rows(); ++i)
        add_weighted_rows(partial.row((before * size + first + i) * right.rows()), right, left.row(before),
                          sums.row(i));
    result.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(sums.rows())) =
        sums.matrix();
  }
}

Panel khatri_rao_panel(std::span<const Matrix> factors, int rank) {
  return Panel(khatri_rao(factors, rank));
}

}  // namespace

Matrix mttkrp(const DenseTensor& tensor, std::span<const Matrix> factors, int mode) {
  const Shape& shape = tensor.shape();
  const int rank = static_cast<int>(factors[mode == 0 ? 1 : 0].cols());
  const Eigen::Index before = cells(shape, 0, mode), after = cells(shape, mode + 1, shape.order());
  const auto left = factors.first(mode), right = factors.subspan(mode + 1);
  // The longer of the two products comes first: what is left to contract is then the smaller.
  std::optional<Panel> partial;
  Matrix result;
  if (after >= before) {
    multiply(ConstMap(tensor.values().data(), before * shape[mode], after), KhatriRaoRows(right, rank),
             partial);
    contract(*partial, khatri_rao_panel(left, rank), khatri_rao_panel({}, rank), result);
  } else {
    multiply_transposed(ConstMap(tensor.values().data(), before, shape[mode] * after),
                        KhatriRaoRows(left, rank), partial);
    contract(*partial, khatri_rao_panel({}, rank), khatri_rao_panel(right, rank), result);
  }
  return result;
}

DenseSweep::DenseSweep(const DenseTensor& tensor) : tensor_(tensor), split_(1) {
  const Shape& shape = tensor.shape();
  const auto cost = [&](int split) {
    return cells(shape, 0, split) * split + cells(shape, split, shape.order()) * (shape.order() - split);
  };
  for (int split = 2; split < shape.order(); ++split)
    if (cost(split) <= cost(split_)) split_ = split;  // late splits have short rows, read in one go
}

void DenseSweep::mttkrp(std::span<const Matrix> factors, int mode, Matrix& result) {
  const Shape& shape = tensor_.shape();
  const int rank = static_cast<int>(factors[0].cols());
  const bool in_left = mode < split_;
  const int first = in_left ? 0 : split_, last = in_left ? split_ : shape.order();
  std::optional<Panel>& partial = in_left ? left_partial_ : right_partial_;
  if (mode == first) {
    const ConstMap unfolded(tensor_.values().data(), cells(shape, 0, split_),
                            cells(shape, split_, shape.order()));
    if (in_left)
      multiply(unfolded, KhatriRaoRows(factors.subspan(split_), rank), partial);
    else
      multiply_transposed(unfolded, KhatriRaoRows(factors.first(split_), rank), partial);
  }
  contract(*partial, khatri_rao_panel(factors.subspan(first, mode - first), rank),
           khatri_rao_panel(factors.subspan(mode + 1, last - mode - 1), rank), result);
}

}  // namespace tulle
