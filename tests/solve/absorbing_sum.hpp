// Terms whose sum in doubles is wrong by more for one of two neighbours.
//
// 2^bits - 1 ones, then the term that differs, 1 in one data set and less in the other, then terms of 0.6
// units in the last place of 2^bits. With 1 the partial sum reaches 2^bits, and every later term is rounded
// up to a whole unit; with less the partial sum stays below, where units are half as large, and each is
// rounded down to one of those. So the two sums differ by small * 2^(bits - 53) more than the terms do.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace tulle::testing {

struct AbsorbingSum {
  int bits;
  std::size_t small;

  std::size_t large() const { return (std::size_t{1} << bits) - 1; }
  std::size_t size() const { return large() + 1 + small; }
  double tiny() const { return std::ldexp(1.2, bits - 53); }

  std::vector<float> terms(double differs) const {
    std::vector<float> all(large(), 1.0f);
    all.push_back(static_cast<float>(differs));
    all.resize(size(), static_cast<float>(tiny()));
    return all;
  }
};

// The same as values of the cells of one row. `sign`: that of a cell's factor, so that products have none.
template <class Sign>
SparseTensor absorbing_row(const AbsorbingSum& sum, double differs, const Sign& sign) {
  const std::vector<float> terms = sum.terms(differs);
  SparseTensor row(Shape{1, terms.size()}, Unlisted::missing);
  for (Index j = 0; j < terms.size(); ++j)
    row.append(std::array<Index, 2>{0, j}, static_cast<float>(terms[j] * sign(j)));
  return row;
}
inline SparseTensor absorbing_row(const AbsorbingSum& sum, double differs) {
  return absorbing_row(sum, differs, [](Index) { return 1; });
}

inline double l2_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(square);
}

}  // namespace tulle::testing
