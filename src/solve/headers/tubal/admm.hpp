// Completion by the tensor nuclear norm (TNN) of the t-product: the ADMM of Zhang et al. (2014) for
//
//   min |X|_TNN  subject to  X = Y on the observed cells                     (lambda = 0)
//   min 1/2 |X - Y|^2 on the observed cells + lambda |X|_TNN                 (lambda > 0, noisy data)
//
// It starts from the mean of the observed cells. The t-product transforms modes 3..N, so the order of the
// modes matters: put the ones along which neighbours are similar (frames, hours, wavelengths) last.
#pragma once

#include <tulle/model/tubal.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>

namespace tulle {

struct TubalAdmmOptions {
  double rho = 0;     // penalty of the splitting X = Z; 0: from the scale of the data
  double lambda = 0;  // weight of the TNN against the squared error; 0: the observed cells are met exactly
  int max_rank = 0;   // maximum number of singular tubes; 0: as many as the TNN leaves

  // Subtract the mean of the observed values first; it is returned as the global bias. A constant has tubal
  // rank 1, so the gain is small, and the fit of data of low rank about zero suffers.
  bool centre = false;

  // Positive weights of the squared errors, one per listed cell, for noise that differs between cells; empty:
  // 1 each. With lambda only.
  std::span<const double> weights;

  Control control;
  const SparseTensor* validation = nullptr;  // for Iteration::validation_rmse
  double rho_growth = 1;  // rho is multiplied by this after every iteration; above 1 trades the guarantee of
                          // convergence for speed
};

// Throws an Error unless there are at least 3 modes and one observed cell, and unlisted cells are missing. A
// cell that is listed more than once counts once, with its mean (and the mean of its weights).
//
// The model is the t-SVD of Z, the iterate of low tubal rank, after the last iteration. X, the iterate that
// meets the observed cells exactly, differs from it by the remaining residual and has no factors; to complete
// the data, take the model's values for the missing cells only.
//
// Iteration::objective is |Z|_TNN, or 1/2 |Z - Y|^2 + lambda |Z|_TNN. Iteration::change is |W' - W| / |Y| for
// the variable W = X + U (U the scaled dual), in which ADMM is a fixed-point iteration; it contains the
// primal and the dual residual, and does not grow while rho is constant. |Y| is scaled up to all cells.
// Rounding hides changes below about 1e-7.
Fit<Tubal> complete_tubal(const SparseTensor& observed, const TubalAdmmOptions& options = {});

}  // namespace tulle
