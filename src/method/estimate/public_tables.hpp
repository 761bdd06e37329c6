// The part of public tables in the gradient of the log-likelihood of factors that they share with private
// ones: without noise and without cost.
//
// A table is the CP model of its entities (data/coupling.hpp). Its own entity, which no private relation has,
// gets rows by ridge regression given the other factors, as users do; a table without one gets a single row,
// which weighs the columns. Values are standardised per own position, by their mean and twice their standard
// deviation, so that the expected signal and noise are those of descent.hpp.
#pragma once

#include <tulle/data/coupling.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <span>
#include <vector>

namespace tulle {

class PublicTables {
 public:
  // `entities`: the layout of a CP model whose factors the tables share.
  PublicTables(const std::vector<PublicTable>& tables, const ModelLayout& entities);

  bool empty() const { return tables_.empty(); }

  struct Slope {
    std::vector<double> sum;   // in the layout: of gradients of half the squared errors
    std::vector<double> bend;  // mode by mode, column by column: mean second derivative of a parameter
  };
  Slope at(std::span<const double> parameters) const;

 private:
  struct Table {
    SparseTensor cells;      // standardised
    std::vector<int> modes;  // of the layout, or PublicTable::kOwn
    int own;                 // mode of the table
    ModelLayout start;       // with one own row
    SliceGradients rows;     // that it fits
  };
  std::vector<double> with_own_rows(const Table& table, std::span<const double> parameters) const;
  void add(const Table& table, std::span<const double> parameters, Slope& slope) const;

  ModelLayout layout_;
  std::vector<Table> tables_;
};

}  // namespace tulle
