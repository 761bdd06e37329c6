// The positions of one mode that a model predicts the largest values for, all other modes being fixed.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

namespace tulle {

struct Recommended {
  Index position;
  double value;  // as predicted, in the range of the data
};

// The best `top` positions of `mode`, best first and in their order where values are equal; those that the
// range clamps are ranked as the model predicts them. `cell` has the positions of the other modes; its own
// position of `mode` does not count. `excluded` are left out.
std::vector<Recommended> recommend(const ModelFile& file, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> excluded = {});

}  // namespace tulle
