// Studies that several tests share.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/data/study.hpp>

namespace tulle {

// X[u,p] = U[u,k] P[p,k], whose data are given.
inline Study matrix_study(SparseTensor data, double power, Index rank) {
  Study study;
  study.entities = {{"user", {}}, {"place", {}}};
  study.model.axes = {{"u", "user", data.shape()[0]}, {"p", "place", data.shape()[1]}, {"k", "", rank}};
  study.model.factors = {{"U", {0, 2}, {}}, {"P", {1, 2}, {}}};
  study.model.products = {{"X", {0, 1}, {0, 1}}};
  study.tables.push_back({.data = std::move(data), .divergence = beta_divergence(power)});
  study.priors.resize(2);
  return study;
}

// Some cells of a 5x4 matrix of counts from 1 on.
inline SparseTensor small_counts(Unlisted unlisted) {
  SparseTensor data(Shape{5, 4}, unlisted);
  Random random(11);
  for (Index row = 0; row < 5; ++row)
    for (Index column = 0; column < 4; ++column)
      if (random.chance(0.6))
        data.append(std::array{row, column}, 1.0f + static_cast<float>(random.below(4)));
  return data;
}

}  // namespace tulle
