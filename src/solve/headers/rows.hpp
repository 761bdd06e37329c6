// New rows against a finished model: every position of one mode is fitted from its own cells alone, with the
// rest of the model held fixed. So a user who was not there when the model was made, or whose row may not be
// published, gets predictions without anybody else's data.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

struct RowsOptions {
  // How strongly a row is pulled to zero, in cells: as strongly as so many average cells with the value that
  // the rest of the model predicts.
  double ridge = 5;
};

// The model with the rows of `mode` fitted anew, or added behind the model's own, that `observed` has cells
// of; rows without cells stay as they are (new ones: zero). The other modes must be the model's. Minimises
// for each row a, with its offset b if the model has offsets,
//   sum over its cells of (x - rest - b - <h, a>)^2 + ridge (mean |h_r|^2 |a|^2 + b^2),
// where h is what the other modes make of the cell.
Model fit_rows(const Model& model, int mode, const SparseTensor& observed, const RowsOptions& options = {});

}  // namespace tulle
