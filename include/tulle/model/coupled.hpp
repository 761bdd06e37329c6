// Coupled factorization: several tables that share factors. The model of each table is a product of factors
// summed over latent indices (Ermis 2020, section 2.1), such as
//   X[u,p,a] = U[u,k] P[p,l] A[a,m] G[k,l,m]     Y[u,f] = U[u,k] F[f,k].
#pragma once

#include <tulle/model/axes.hpp>
#include <tulle/tensor/dataset.hpp>
#include <tulle/tensor/sparse.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// An index letter: for the positions of an entity, or latent.
struct Axis {
  std::string letter;
  std::string entity;  // empty: latent
  Index size = 0;

  bool latent() const { return entity.empty(); }
  bool operator==(const Axis& other) const = default;
};

struct Factor {
  std::string name;
  Axes axes;  // entities' axes first
  std::vector<double> values;

  bool operator==(const Factor& other) const = default;
};

// The model of one table: x[axes] = sum over latent indices of the product of the factors.
struct Product {
  std::string name;
  Axes axes;
  std::vector<int> factors;
  double dispersion = 1;  // phi: the variance of a cell is phi mean^p under the table's divergence
  bool log_odds = false;  // the sum is that of x being 1, and predictions are probabilities

  bool operator==(const Product& other) const = default;
};

struct Coupled {
  std::vector<Axis> axes;
  std::vector<Factor> factors;
  std::vector<Product> products;

  std::vector<Index> sizes() const;  // of the axes
  Axes entity_axes(const Axes& among) const;
  Axes latent_axes(const Axes& among) const;
  int product_of(std::string_view name) const;  // a UsageError if there is none

  // Cells of a table with one axis have a second mode of one position.
  Shape shape(int product) const;
  std::vector<double> predict(int product, const Cells& cells) const;

  bool operator==(const Coupled& other) const = default;
};

// An Error unless letters, factors and products fit together and, if `values`, every factor has its values.
void check(const Coupled& model, bool values = true);

// The modes of a product's cells, which are among the entities: "user", and "user_2" where it occurs again; a
// product of one axis has a second mode of one position.
std::vector<Mode> modes_of(const Coupled& model, int product, const std::vector<Mode>& entities);

// x[u,p,a] = U[u,k] P[p,k] A[a,k]
std::string formula(const Coupled& model, const Product& product);

}  // namespace tulle

#pragma GCC visibility pop
