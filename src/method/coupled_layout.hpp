// The layout of the parameters of a model whose tensor may consist of several relations stacked on one
// another (data/coupling.hpp). Methods move the parameters of the entities; kernels see those of the whole
// tensor, in which the rows of relations, and of entities that a relation lacks, are 1.
#pragma once

#include <tulle/data/coupling.hpp>
#include <tulle/model/model.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <span>
#include <vector>

namespace tulle {

class CoupledLayout {
 public:
  // `tensor`: of the whole tensor. Without a coupling it is one relation, and both layouts are the same.
  CoupledLayout(const ModelLayout& tensor, const Coupling* coupling = nullptr);  // NOLINT: one relation

  const ModelLayout& tensor() const { return tensor_; }
  const ModelLayout& entities() const { return entities_; }
  const std::vector<std::vector<int>>& relations() const { return relations_; }  // modes of each

  std::vector<double> to_tensor(std::span<const double> of_entities) const;
  std::vector<double> to_entities(std::span<const double> of_tensor) const;

  // `standards`: one per relation. All have the same scale.
  SliceTables tables(const std::vector<Standard>& standards) const;
  // `layout`: of the tensor, or the same with another number of users.
  Model model(const ModelLayout& layout, std::span<const double> of_tensor,
              const std::vector<Standard>& standards) const;

 private:
  bool several() const { return relations_.size() > 1; }

  ModelLayout tensor_, entities_;
  std::vector<std::vector<int>> relations_;
};

}  // namespace tulle
