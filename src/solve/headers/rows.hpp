// New rows for a fitted model: every position of one mode is fitted from its own cells alone, with the rest
// of the model held fixed. So a user who was not in the training data, or whose row may not be published,
// gets predictions without anybody else's data.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

struct RowsOptions {
  // Regularization of a row: as strong as this number of average cells with the value that the rest of the
  // model predicts.
  double ridge = 5;
};

// Returns the model with refitted rows of `mode` for the positions that have cells in `observed`; rows beyond
// the model's own are appended, and rows without cells stay as they are (new ones: zero). The other modes
// must be the model's. Minimises for each row a, with its offset b if the model has offsets,
//   sum over its cells of (x - rest - b - <h, a>)^2 + ridge (mean |h_r|^2 |a|^2 + b^2),
// where h is the contribution of the other modes to the cell.
Model fit_rows(const Model& model, int mode, const SparseTensor& observed, const RowsOptions& options = {});

}  // namespace tulle
