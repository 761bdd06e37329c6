// Least squares for the rows of a CP factor, the others held: the entries of each row become sums.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/sorted.hpp>

#include <cstddef>
#include <functional>
#include <span>

namespace tulle {

// With h the product of the other modes' rows of an entry and y what is left of its value after the other
// modes' offsets, the sums over the entries of a row, as one array: sum h h^T, sum y h, sum h, sum of the
// variances of h, sum y, sum y^2, number. Columns are padded as in a Panel; of the symmetric matrix only the
// part on and above the diagonal is meant.
class NormalEquations {
 public:
  explicit NormalEquations(int columns)
      : rank(columns), stride((columns + Panel::kMultiple - 1) / Panel::kMultiple * Panel::kMultiple) {}

  const int rank;
  const int stride;

  std::size_t size() const { return static_cast<std::size_t>(stride) * (stride + 3) + 3; }
  const double* gram(const double* sums) const { return sums; }
  const double* right(const double* sums) const { return sums + stride * stride; }
  const double* total(const double* sums) const { return right(sums) + stride; }
  const double* variance(const double* sums) const { return total(sums) + stride; }
  double value_total(const double* sums) const { return variance(sums)[stride]; }
  double value_square(const double* sums) const { return variance(sums)[stride + 1]; }
  double count(const double* sums) const { return variance(sums)[stride + 2]; }
};

// Hands on the sums of every row r in 0 .. entries.rows.size()-1, once, from the threads that computed them.
// The variances are those of the factors' entries, which are independent; none: the factors are known.
void normal_equations(const SortedEntries& entries, std::span<const Panel> factors,
                      std::span<const Panel> variances, std::span<const Vector> offsets,
                      const std::function<void(std::size_t row, const double* sums)>& finish);

}  // namespace tulle
