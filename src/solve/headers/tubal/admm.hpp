// Completion by the tensor nuclear norm (TNN) of the t-product: the ADMM of Zhang et al. (2014) for
//
//   min |X|_TNN  subject to  X = Y on the observed cells                     (lambda = 0)
//   min 1/2 |X - Y|^2 on the observed cells + lambda |X|_TNN                 (lambda > 0, noisy data)
//
// It starts from the mean of the observed cells. Modes 3..N are the ones that the t-product transforms, so
// the order of the modes matters: put the ones that are alike from step to step (frames, hours, wavelengths)
// last.
#pragma once

#include <tulle/model/tubal.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>

namespace tulle {

struct TubalAdmmOptions {
  double rho = 0;     // penalty of the splitting X = Z; 0: from the scale of the data
  double lambda = 0;  // weight of the TNN against the squared error; 0: the observed cells are met exactly
  int max_rank = 0;   // no more singular tubes than this; 0: as many as the TNN leaves

  // Take out the mean of the observed values first; it comes back as the global bias. A constant is of tubal
  // rank 1, so little is gained, and data of low rank about zero lose by it.
  bool centre = false;

  // How much the squared error of each observed cell counts, for noise that differs from cell to cell; one a
  // listed cell, positive, or none: 1 each. With lambda only.
  std::span<const double> weights;

  Control control;
  const SparseTensor* validation = nullptr;  // for Iteration::validation_rmse
  double rho_growth = 1;  // rho is multiplied by this after every iteration; above 1 trades the guarantee of
                          // convergence for pace
};

// At least 3 modes, one observed cell, and missing semantics for the others: an Error otherwise. A cell that
// is listed more than once counts once, with its mean (and the mean of its weights).
//
// The model is Z, the iterate of the last iteration that has low tubal rank, as its t-SVD. X, the iterate
// that meets the observed cells exactly, differs from it by what has not converged yet and has no factors;
// whoever wants the completed data takes the model's values for the missing cells only.
//
// Iteration::objective is |Z|_TNN, or 1/2 |Z - Y|^2 + lambda |Z|_TNN. Iteration::change is |W' - W| / |Y| for
// the variable W = X + U (U the scaled dual), of which ADMM is a fixed-point iteration; it holds the primal
// and the dual residual, and does not grow while rho stays the same. |Y| is scaled up to all cells. Rounding
// hides changes below about 1e-7.
Fit<Tubal> complete_tubal(const SparseTensor& observed, const TubalAdmmOptions& options = {});

}  // namespace tulle
