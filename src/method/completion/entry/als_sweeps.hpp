// Sweeps of private alternating least squares over all modes of a CP model, for single entries whose
// positions are public: the other factors were released before, so all matrices of the normal equations are
// public, and only their right-hand sides r_i = sum of h x over the cells of i need noise.
#pragma once

#include "estimate/cells_by_position.hpp"

#include <tulle/base/sum_grid.hpp>
#include <tulle/method/private_completion.hpp>

#include <functional>
#include <optional>

namespace tulle {

inline constexpr const char* kRightSides = "right-hand sides";  // the id of their releases

// The noise for one release of `numbers` values of sensitivity `length` x the largest change of a value, in
// the norm that the noise is for.
using SweepNoise = std::function<AdditiveNoise(double length, std::uint64_t numbers)>;

class EntrySweeps {
 public:
  // Fits the residuals of the values from `expected`, one value per cell that was released before; `spread`
  // is about their variance. Right-hand sides are added up over blocks of `block_size` cells.
  EntrySweeps(const Cells& cells, const Range& range, Vector expected, int rank, double spread,
              std::uint64_t seed, std::size_t block_size = 0);

  // One release, of the right-hand sides of a mode, and its solution. Empty, with nothing released, where the
  // factor of another mode is zero, and so are all components.
  std::optional<Release> update(const PrivateTensor& data, int mode, bool l1, const SweepNoise& noise,
                                Curator& curator);
  // Solves for a mode from its released right-hand sides. An Error unless they fit a mode of this tensor.
  void take(const Release& right_sides);

  const std::vector<Matrix>& factors() const { return factors_; }

  // The query of update: exact sums of rounded terms, of values less the middle of their range, where no h is
  // longer than `longest`, which is public. For update, and for tests.
  Matrix right_sides(const SparseTensor& observed, int mode, double longest) const;
  SumGrid grid_for(double longest) const;

 private:
  Vector others(std::size_t cell, int mode) const;  // h: the product of the rows of all modes but one
  double longest(int mode, bool l1) const;
  // Sums of term(cell, coordinate of h) over the cells from `begin` to `end`, by position and coordinate.
  template <class Term>
  Matrix add_up(int mode, std::size_t begin, std::size_t end, Term&& term) const;
  void solve(int mode, const Matrix& right, double deviation);

  const Cells* cells_;
  Range range_;
  Vector expected_;  // less the middle of the range
  int rank_;
  double spread_;
  std::size_t block_size_;
  std::vector<CellsByPosition> groups_;
  std::vector<Matrix> factors_;
};

}  // namespace tulle
