// The loops of Eigen's products of matrices of doubles. Half of the sources multiply matrices, and each would
// compile these again: they are compiled once, in src/tensor/decompositions.cpp. For the version of Eigen
// that has them under these names.
#pragma once

#include <Eigen/Core>

#if EIGEN_VERSION_AT_LEAST(3, 4, 0) && !EIGEN_VERSION_AT_LEAST(3, 4, 90)
namespace tulle::products {
using Sizes = Eigen::internal::gebp_traits<double, double>;
using Rows = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, Eigen::RowMajor>;
using Columns = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, Eigen::ColMajor>;
using Result = Eigen::internal::blas_data_mapper<double, Eigen::Index, Eigen::ColMajor, Eigen::Unaligned, 1>;
}  // namespace tulle::products

#define TULLE_PACKS(EXTERN, READER, ORDER)                                                                 \
  EXTERN template struct Eigen::internal::gemm_pack_lhs<                                                   \
      double, Eigen::Index, tulle::products::READER, tulle::products::Sizes::mr,                           \
      tulle::products::Sizes::LhsProgress, tulle::products::Sizes::LhsPacket4Packing, Eigen::ORDER, false, \
      false>;                                                                                              \
  EXTERN template struct Eigen::internal::gemm_pack_rhs<double, Eigen::Index, tulle::products::READER,     \
                                                        tulle::products::Sizes::nr, Eigen::ORDER, false,   \
                                                        false>;

#define TULLE_VECTOR_PRODUCT(EXTERN, LEFT, ORDER, RIGHT)                                                \
  EXTERN template struct Eigen::internal::general_matrix_vector_product<                                \
      Eigen::Index, double, tulle::products::LEFT, Eigen::ORDER, false, double, tulle::products::RIGHT, \
      false>;

#define TULLE_EIGEN_PRODUCTS(EXTERN)                                                                         \
  EXTERN template struct Eigen::internal::gebp_kernel<double, double, Eigen::Index, tulle::products::Result, \
                                                      tulle::products::Sizes::mr,                            \
                                                      tulle::products::Sizes::nr, false, false>;             \
  TULLE_PACKS(EXTERN, Rows, RowMajor)                                                                        \
  TULLE_PACKS(EXTERN, Columns, ColMajor)                                                                     \
  TULLE_VECTOR_PRODUCT(EXTERN, Rows, RowMajor, Columns)                                                      \
  TULLE_VECTOR_PRODUCT(EXTERN, Columns, ColMajor, Rows)                                                      \
  TULLE_VECTOR_PRODUCT(EXTERN, Columns, ColMajor, Columns)

TULLE_EIGEN_PRODUCTS(extern)
#endif
