// Sums over all cells of a table, observed or not, in closed form: time and memory depend on the factors
// alone.
#pragma once

#include <tulle/model/coupled.hpp>

namespace tulle {

// The values of all factors of a model, and their Gram matrices if they are known.
class FactorValues {
 public:
  FactorValues(const std::vector<const double*>& values, std::span<const std::vector<double>> grams = {})
      : values_(values), grams_(grams) {}

  const double* operator[](std::size_t factor) const { return values_[factor]; }
  operator std::span<const double* const>() const { return values_; }
  // The Gram matrix of a factor over its latent indices: sums over its entities of products of two elements.
  // Empty if it is not known.
  std::span<const double> gram(std::size_t factor) const {
    return factor < grams_.size() ? grams_[factor] : std::span<const double>();
  }

 private:
  std::span<const double* const> values_;
  std::span<const std::vector<double>> grams_;
};

std::vector<double> gram_of(const Coupled& model, int factor);

// Adds scale times the sum over all cells of the product of the factors other than the target, for the
// Kullback-Leibler divergence, or of m times that product (`squared`), for the Euclidean one.
void add_all_cells(const Coupled& model, const Product& product, int target, FactorValues factors,
                   bool squared, double scale, double* sums);

// Adds scale times the Gram matrix, over all cells, of the product of the factors other than the target: for
// every row of the target a matrix over its latent indices, one after another, or a single one for all rows
// (`share_matrix`).
void add_all_squares(const Coupled& model, const Product& product, int target, FactorValues factors,
                     double scale, bool share_matrix, double* matrices);

// The sum over all cells of m, or of m^2 / 2.
double sum_all_cells(const Coupled& model, const Product& product, FactorValues factors, bool squared);

}  // namespace tulle
