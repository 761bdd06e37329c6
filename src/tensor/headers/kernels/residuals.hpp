// Sums of squared residuals over listed cells: what is left of their values when a model is subtracted.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/sorted.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>

namespace tulle {

// Of x - level - scale (sum_r prod_m factors[m][i_m, r] + sum_m offsets[m][i_m]).
double squared_residuals(const SparseTensor& cells, std::span<const Panel> factors,
                         std::span<const Vector> offsets, double level, double scale);

// Of x / scale - (core contracted with the factors' rows) - level - sum_m offsets[m][i_m]; offsets may be
// none.
double squared_residuals(const SortedEntries& cells, const DenseTensor& core, std::span<const Matrix> factors,
                         std::span<const Vector> offsets, double level, double scale);

}  // namespace tulle
