// A study laid out for solvers: what every table says, and a pass for every factor of every table.
#pragma once

#include "all_cells.hpp"
#include "entry_pass.hpp"
#include "observations.hpp"

#include <tulle/solve/fit.hpp>

#include <functional>
#include <optional>

namespace tulle {

// What gradient samplers need to know about a factor: pull and push of its elements, as below, and the part
// of the divergence that depends on each of its rows.
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

// What passes are made for.
enum class PassesFor {
  gradients,      // of whole factors
  least_squares,  // equations of rows
  rows,           // gradients row by row, which samplers need
};

struct PassOptions {
  PassesFor use = PassesFor::gradients;
  int batches = 1;  // random parts of the entries of each table
};

// It refers to the tables' values: the study must neither change nor move as long as it is there.
class CoupledPasses {
 public:
  CoupledPasses(const Study& study, std::uint64_t seed, const PassOptions& options = {});

  // Of one table, one of its factors and one batch.
  struct Pass {
    EntryPass entries;
    double data, model;  // weights of the block
    int batch;
    double half_squares;  // the sum of x^2 / 2
  };
  const std::vector<Pass>& of(std::size_t table, int factor) const;
  const std::vector<int>& tables_with(int factor) const { return tables_with_[factor]; }
  // All factors, in groups of which no two share a table, so that those of a group may change at the same
  // time. One group after the other gives what one factor after the other does.
  const std::vector<std::vector<int>>& groups() const { return groups_; }
  double operations(std::size_t table, int factor) const;                 // of a pass, more or less
  std::vector<double> operations(const std::vector<int>& factors) const;  // of passes over all tables of each
  bool closed(std::size_t table) const { return tables_[table].closed; }
  double squares(std::size_t table) const;  // of its entries, added up

  // For every factor: pull = sum of x m^-p and push = sum of m^(1-p), each times the product of the other
  // factors, over the observed cells; both are added to, times `scale`.
  void add_gradient(std::size_t table, int factor, FactorValues factors, double scale, double* pull,
                    double* push) const;

  // Of all tables that have the factor, each times its scale. Small ones are worked on side by side.
  void add_gradients(int factor, FactorValues factors, const std::vector<double>& scales, double* pull,
                     double* push) const;

  // The same with the part of the divergence that each row has. Of one batch, if given, which then stands for
  // all of them: the expectation over the batches is the gradient. Sums over all cells are exact.
  void add_row_gradient(std::size_t table, int factor, FactorValues factors, double scale,
                        std::optional<int> batch, RowGradient& gradient) const;

  // The sum over observed cells of the product of the other factors: what a rate of a count is multiplied
  // with.
  void add_exposure(std::size_t table, int factor, FactorValues factors, double scale, double* sums) const;

  // Where all cells have a value and no other factor has an index of the factor's rows, these have the same
  // matrix.
  bool rows_share_matrix(int factor) const;

  // Of the Euclidean divergence, whose minimum over the factor solves the equations; of one table, or of all
  // that have the factor, each times its scale. There is one matrix where the rows share it.
  void add_equations(std::size_t table, int factor, FactorValues factors, double scale, std::size_t unknowns,
                     double* matrices, double* right) const;
  void add_equations(int factor, FactorValues factors, const std::vector<double>& scales,
                     RowEquations& equations) const;

  // At least `width` random combinations of the columns of the tables that have the factor, beside each other
  // and each times the root of the table's weight. Nothing where a table is not held as a matrix of all cells
  // whose rows are those of the factor.
  std::optional<Matrix> sketch(int factor, Eigen::Index width, std::uint64_t seed) const;

  double divergence(std::size_t table, FactorValues factors) const;
  std::vector<double> divergences(FactorValues factors) const;  // of all tables

 private:
  using AddTable = std::function<void(std::size_t table, const std::vector<double*>& sums)>;

  // What each of the tables that have the factor adds to some sums.
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
