// A study laid out for solvers: the observations of every table, and a pass for every factor of every table.
#pragma once

#include "all_cells.hpp"
#include "entry_pass.hpp"
#include "observations.hpp"

#include <tulle/solve/fit.hpp>

#include <functional>
#include <optional>

namespace tulle {

// Gradient of a factor for samplers: pull and push of its elements, as below, and for each of its rows the
// part of the divergence that depends on the row.
struct RowGradient {
  std::vector<double> pull, push, energy;
};

// Least squares for every row of a factor: matrix * row = right.
struct RowEquations {
  std::size_t unknowns;
  std::vector<double> matrices;  // of all rows one after another, or one that all rows share
  std::vector<double> right;

  bool share_matrix() const { return matrices.size() == unknowns * unknowns; }
  const double* matrix(std::size_t row) const {
    return &matrices[share_matrix() ? 0 : row * unknowns * unknowns];
  }
};

// The use for which passes are laid out.
enum class PassesFor {
  gradients,      // of whole factors
  least_squares,  // equations of rows
  rows,           // gradients row by row, which samplers need
};

struct PassOptions {
  PassesFor use = PassesFor::gradients;
  int batches = 1;  // random parts of the entries of each table
};

// Refers to the values of the tables: the study must neither change nor move during its lifetime.
class CoupledPasses {
 public:
  CoupledPasses(const Study& study, std::uint64_t seed, const PassOptions& options = {});

  // The pass over one batch of a table for one of its factors.
  struct Pass {
    EntryPass entries;
    double data, model;  // weights of the block
    int batch;
    double half_squares;  // the sum of x^2 / 2
  };
  const std::vector<Pass>& of(std::size_t table, int factor) const;
  const std::vector<int>& tables_with(int factor) const { return tables_with_[factor]; }
  // All factors, in groups within which no two share a table, so that a group's factors may be updated
  // concurrently. Updating group after group gives the same result as factor after factor.
  const std::vector<std::vector<int>>& groups() const { return groups_; }
  double operations(std::size_t table, int factor) const;                 // of a pass, roughly
  std::vector<double> operations(const std::vector<int>& factors) const;  // of passes over all tables of each
  bool closed(std::size_t table) const { return tables_[table].closed; }
  double squares(std::size_t table) const;  // the sum of squares of its entries

  // Adds, times `scale`, pull = sum of x m^-p and push = sum of m^(1-p) over the observed cells, each times
  // the product of the other factors. Divergences without a p have a pull and push of their own.
  void add_gradient(std::size_t table, int factor, FactorValues factors, double scale, double* pull,
                    double* push) const;

  // The same for all tables that have the factor, each times its scale. Small tables run concurrently.
  void add_gradients(int factor, FactorValues factors, const std::vector<double>& scales, double* pull,
                     double* push) const;

  // The same, with each row's part of the divergence. Sums over one batch, if given, are scaled up to all of
  // them, so that their expectation is the gradient. Sums over all cells are exact.
  void add_row_gradient(std::size_t table, int factor, FactorValues factors, double scale,
                        std::optional<int> batch, RowGradient& gradient) const;

  // Adds the exposure of the rates of counts: the sum over observed cells of the product of the other
  // factors.
  void add_exposure(std::size_t table, int factor, FactorValues factors, double scale, double* sums) const;

  // True if all rows of the factor have the same matrix: all cells have a value, and no other factor has an
  // index of its rows.
  bool rows_share_matrix(int factor) const;

  // Adds the normal equations of the Euclidean divergence, which the best factor solves: those of one table,
  // or of all that have the factor, each times its scale. There is one matrix if the rows share it.
  void add_equations(std::size_t table, int factor, FactorValues factors, double scale, std::size_t unknowns,
                     double* matrices, double* right) const;
  void add_equations(int factor, FactorValues factors, const std::vector<double>& scales,
                     RowEquations& equations) const;

  // At least `width` random combinations of the columns of the tables that have the factor, side by side and
  // each times the root of the table's weight. Empty unless every table is held as a matrix of all cells
  // whose rows are those of the factor.
  std::optional<Matrix> sketch(int factor, Eigen::Index width, std::uint64_t seed) const;

  double divergence(std::size_t table, FactorValues factors) const;
  std::vector<double> divergences(FactorValues factors) const;  // of all tables

 private:
  using AddTable = std::function<void(std::size_t table, const std::vector<double*>& sums)>;

  // Adds the contribution of each table that has the factor to the sums.
  void add_tables(int factor, const std::vector<std::span<double>>& sums, const AddTable& add) const;
  void lay_out(std::size_t table, std::uint64_t seed, PassesFor use);
  void find_groups();
  double data_times_model(std::size_t table, const Pass& pass, FactorValues factors) const;

  struct LaidOut {
    bool closed = false;
    std::vector<std::vector<Pass>> passes;  // by the place of the factor in the product
  };

  const Study& study_;
  int batches_;
  std::vector<LaidOut> tables_;
  std::vector<std::vector<int>> tables_with_;
  std::vector<std::vector<int>> groups_;
};

std::vector<const double*> values_of(const Coupled& model);

// Factors with independent exponentially distributed elements, scaled so that the models have about the means
// of their tables.
Coupled random_start(const Study& study, std::uint64_t seed);

}  // namespace tulle
