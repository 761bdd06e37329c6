// Least squares for one row of a factor, the others held: the entries of the row become sums, the sums a
// solution.
#pragma once

#include <tulle/tensor/compressed.hpp>
#include <tulle/tensor/panel.hpp>

#include <cstddef>
#include <span>
#include <vector>

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

  // Adds entries begin .. end of the mode's rows.
  void add(const CompressedMode& entries, std::span<const Panel> factors, std::span<const Panel> variances,
           std::span<const double* const> offsets, std::size_t begin, std::size_t end, double* sums) const;
};

// Where the solution for a row goes, and how strongly it is drawn to zero.
struct RowTarget {
  std::span<double> row;               // rank numbers
  double* offset;                      // solved for jointly when not null
  std::span<const double> ridge;       // one for each number of the row, then the offset's
  std::span<double> inverse_diagonal;  // of the matrix with its ridge, in the same order; may be empty
};

struct RowErrors {
  double squares = 0;      // sum of squares that the solution leaves of the entries
  double uncertainty = 0;  // what the variance of the other modes' rows adds to it
};

RowErrors solve_row(const NormalEquations& equations, const double* sums, const RowTarget& target,
                    std::vector<double>& scratch);

}  // namespace tulle
