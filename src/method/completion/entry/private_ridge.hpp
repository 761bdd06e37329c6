// One block of a model at a time by ridge regression on private values; the other blocks are public already,
// for they were released, or drawn at random.
//
// With h_e the derivative of cell e's prediction with respect to the row of a mode, the row that fits best is
// (sum_e h_e h_e^T + ridge)^-1 sum_e y_e h_e. Where positions are public, so is every h_e and the matrix:
// only the right-hand sides r_i = sum_e y_e h_e are private.
#pragma once

#include "model_request.hpp"

#include <tulle/base/sum_grid.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <optional>
#include <vector>

namespace tulle {

// The noise of a few releases that share a budget: of the values' moments, which get a small part, and of
// right-hand sides. Gaussian, composed by GDP, with a delta; Laplace, epsilons added up, without.
struct RidgeNoise {
  // With Gaussian noise a noise multiplier, with Laplace noise an epsilon.
  bool gaussian;
  double moments, right_hand_side;

  // Plans these releases.
  static RidgeNoise planned(const PrivateRequest& request, int right_hand_sides, Curator& curator);

  AdditiveNoise noise(double parameter, double l1, double l2, std::uint64_t numbers, Relation relation) const;
};

class PrivateRidge {
 public:
  // Unit entry under replace. Releases the moments of the values, to centre them by and to know their
  // variance; starts at independent signs, 1 or -1: no derivative is then longer than another.
  PrivateRidge(const PrivateRequest& request, const ModelLayout& layout, const RidgeNoise& noise,
               Curator& curator);
  ~PrivateRidge();

  // Pieces 0 .. order()-1 are the factors; with a core, order() is the core.
  int pieces() const { return layout_.order() + (layout_.has_core() ? 1 : 0); }

  // Releases the right-hand sides of a piece and solves for it. The last piece becomes zero if they show
  // nothing but noise.
  void fit(int piece, bool last);

  // Scales each column to mean square 1 and shortens rows that are much longer than the others; the next
  // piece absorbs the scale.
  void normalise(int piece);

  // The query of fit: exact sums of rounded terms, where no derivative is longer than `longest`, which is
  // public. For fit, and for tests.
  std::vector<double> right_hand_sides(int piece, const SparseTensor& observed, double longest);
  SumGrid grid_for(double longest) const;

  const std::vector<double>& numbers() const { return numbers_; }
  Model model() const;

 private:
  struct Rows;  // of a piece: which cells belong to which row

  struct Matrices;  // public: of the normal equations of a piece
  Matrices matrices_of(int piece);
  Noisy release_right_hand_sides(int piece, double l1, double l2);

  void release_moments();
  void clear(int piece);
  std::size_t columns(int piece) const;
  std::size_t start(int piece) const;
  std::span<const double> derivative(int piece, std::size_t entry, CellGradient& cell) const;
  const Rows& rows(int piece);

  const PrivateRequest& request_;
  const Cells& cells_;  // which are public
  Curator& curator_;
  ModelLayout layout_;
  Standard standard_;
  double variance_ = 0;  // of standardised values
  RidgeNoise noise_;
  std::vector<double> numbers_;
  std::vector<Rows> rows_;
};

}  // namespace tulle
