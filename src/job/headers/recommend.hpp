// The positions of one mode with the largest predicted values, all other modes being fixed.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

namespace tulle {

struct Recommended {
  Index position;
  double value;  // the prediction, in the range of the data
};

// The best `top` positions of `mode`, best first, in their own order if values are equal; values that the
// range clamps are ranked by the unclamped prediction. `cell` has the positions of the other modes; its
// position of `mode` is ignored, and `excluded` are skipped.
std::vector<Recommended> recommend(const ModelFile& file, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> excluded = {});

}  // namespace tulle
