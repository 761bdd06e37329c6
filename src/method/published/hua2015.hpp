// Method hua2015: matrix factorization with a perturbed objective (Hua, Xia and Zhong 2015).
#pragma once

#include <tulle/method/private_completion.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <span>
#include <vector>

namespace tulle {

// The rows of one mode of a matrix, the items, with those of the other, the users, held fixed.
struct ItemFit {
  const SparseTensor& observed;
  const ModelLayout& layout;
  int users;  // mode
  Standard standard;

  // For every item j, 2 sum_i x_ij u_i: minus the linear term of its squared errors. `parameters` has all.
  std::vector<double> linear_terms(std::span<const double> parameters) const;
  // The items that minimise sum (x_ij - u_i v_j)^2 + ridge sum |v_j|^2 with these linear terms in the place
  // of their own: v_j = (sum_i u_i u_i^T + ridge)^-1 terms_j / 2. Items without a cell keep a row of 0 plus
  // what the noise makes of it.
  std::vector<double> minimiser(std::span<const double> parameters, std::span<const double> terms,
                                double ridge) const;
};

}  // namespace tulle
