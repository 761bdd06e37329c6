// Sums over the cells of tensors. They are added up in pieces of fixed size, in order, so that they do not
// depend on the number of threads.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

namespace tulle {

double inner(const DenseTensor& a, const DenseTensor& b);
double inner(const SparseTensor& a, const DenseTensor& b);  // over the listed cells

double squared_norm(const DenseTensor& tensor);
double squared_norm(const SparseTensor& tensor);  // over the listed cells
double norm(const DenseTensor& tensor);
double norm(const SparseTensor& tensor);

}  // namespace tulle
