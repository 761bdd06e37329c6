#include "slice_svd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <exception>

namespace tulle {
namespace {

// The slice as LAPACK sees it (slice_svd.hpp).
template <class Map>
auto columns_of(const Map& slice) {
  using T = typename Map::Scalar;
  constexpr bool writable = !std::is_const_v<std::remove_pointer_t<decltype(std::declval<Map&>().data())>>;
  using Matrix = std::conditional_t<writable, Columns<T>, const Columns<T>>;
  return Eigen::Map<Matrix>(const_cast<Map&>(slice).data(), slice.cols(), slice.rows());
}

// Calls f(number, M) for every stored slice, in parallel; BLAS runs on one thread inside. Rethrows LAPACK's
// errors.
template <class AnySpectrum, class F>
void for_each_slice(AnySpectrum& spectrum, F&& f) {
  std::exception_ptr error;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t slice = 0; slice < spectrum.slices(); ++slice) try {
      spectrum.with_slice(slice, [&](auto map) { f(slice, columns_of(map)); });
    } catch (...) {
#pragma omp critical
      error = std::current_exception();
    }
  if (error) std::rethrow_exception(error);
}

template <class Map>
using ScalarOf = typename std::decay_t<Map>::Scalar;

// Spectra of U, S and V, filled slice by slice.
struct FactorSpectra {
  FactorSpectra(const Shape& shape, int rank)
      : u(shape.with(1, rank)), s(shape.with(0, 1).with(1, rank)), v(shape.with(0, shape[1]).with(1, rank)) {}

  template <class T>
  void set(std::size_t slice, const SliceSvd<T>& svd) {
    const Eigen::Index rank = s.columns();
    s.with_slice(slice, [&](auto row) {
      row = svd.values.head(rank).transpose().template cast<typename decltype(row)::Scalar>();
    });
    if constexpr (std::is_same_v<T, double>) {
      u.real(slice) = svd.right.leftCols(rank);
      v.real(slice) = svd.left.leftCols(rank);
    } else {
      u.complex(slice) = svd.right.leftCols(rank).conjugate();
      v.complex(slice) = svd.left.leftCols(rank).conjugate();
    }
  }

  TSvd inverse() const {
    const DenseTensor tubes = s.inverse();
    const auto sizes = tubes.shape().dimensions().subspan(1);
    return {u.inverse(),
            DenseTensor(Shape(std::vector<std::uint64_t>(sizes.begin(), sizes.end())),
                        std::vector<double>(tubes.values().begin(), tubes.values().end())),
            v.inverse()};
  }

  Spectrum u, s, v;
};

}  // namespace

TSvd t_svd(const DenseTensor& tensor, int rank) {
  const Spectrum spectrum(tensor);
  const int full = static_cast<int>(std::min(spectrum.rows(), spectrum.columns()));
  if (rank < 0 || rank > full)
    fail("rank {} of a {} tensor: the tubal rank lies between 1 and {}", rank, tensor.shape().text(), full);
  FactorSpectra factors(tensor.shape(), rank == 0 ? full : rank);
  std::vector<double> dropped(spectrum.slices());
  for_each_slice(spectrum, [&](std::size_t slice, const auto& m) {
    const auto svd = slice_svd<ScalarOf<decltype(m)>>(m);
    factors.set(slice, svd);
    dropped[slice] = spectrum.weight(slice) * svd.values.tail(full - factors.s.columns()).squaredNorm();
  });
  TSvd result = factors.inverse();
  result.residual =
      std::sqrt(std::accumulate(dropped.begin(), dropped.end(), 0.0) / static_cast<double>(spectrum.depth()));
  return result;
}

SpectralShrinkage::Outcome SpectralShrinkage::shrink(Spectrum& spectrum, double threshold, int max_rank) {
  const int limit = max_rank > 0 ? max_rank : std::numeric_limits<int>::max();
  bases_.resize(spectrum.slices());
  std::vector<ShrunkSlice> shrunk(spectrum.slices());
  for_each_slice(spectrum, [&](std::size_t slice, auto m) {
    using T = ScalarOf<decltype(m)>;
    if (!std::holds_alternative<Columns<T>>(bases_[slice])) bases_[slice] = Columns<T>();
    shrunk[slice] = shrink_slice<T>(m, threshold, limit, std::get<Columns<T>>(bases_[slice]));
  });

  Outcome outcome;
  for (std::size_t slice = 0; slice < spectrum.slices(); ++slice) {
    const double share = spectrum.weight(slice) / static_cast<double>(spectrum.depth());
    outcome.nuclear_norm += share * shrunk[slice].nuclear_norm;
    outcome.squared_change += share * shrunk[slice].squared_change;
    const auto columns = std::visit([](const auto& basis) { return basis.cols(); }, bases_[slice]);
    outcome.rank = std::max(outcome.rank, static_cast<int>(columns));
  }
  return outcome;
}

TSvd SpectralShrinkage::factors(const Spectrum& result) const {
  Eigen::Index rank = 1;
  for (const auto& basis : bases_)
    rank = std::max(rank, std::visit([](const auto& columns) { return columns.cols(); }, basis));
  FactorSpectra factors(result.shape(), static_cast<int>(rank));
  for_each_slice(result, [&](std::size_t slice, const auto& m) {
    using T = ScalarOf<decltype(m)>;
    factors.set(slice, slice_svd<T>(m, std::get<Columns<T>>(bases_[slice]), static_cast<int>(rank)));
  });
  return factors.inverse();
}

}  // namespace tulle
