// The positions of one mode that a model predicts the largest values for, all other modes being fixed.
#pragma once

#include <tulle/model/model.hpp>
#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

namespace tulle {

struct Recommended {
  Index position;
  double value;  // as predicted
};

// The best `top` positions of `mode`, best first and in their order where values are equal. `cell` has the
// positions of the other modes; its own position of `mode` does not count. `excluded` are left out.
std::vector<Recommended> recommend(const Model& model, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> excluded = {});

}  // namespace tulle
