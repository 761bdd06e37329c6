// Public features of images, which no data were looked at for: histograms of oriented gradients (Dalal and
// Triggs 2005) at two scales.
//
// At each scale the image is differentiated by Gaussians; the length of the gradient is divided among eight
// directions, smoothed over cells, and the histogram of each cell is divided by its norm, so that faint and
// bold strokes count alike. All features of an image together are a vector of norm 1 at most.
#pragma once

#include <tulle/tensor/float_matrix.hpp>

#pragma GCC visibility push(default)

namespace tulle {

struct ImageFeatures {
  int height = 0, width = 0;  // of an image; 0: no features, the values themselves

  bool none() const { return height == 0; }
  Eigen::Index pixels() const { return Eigen::Index{height} * width; }
  Eigen::Index size() const;  // features of an image

  // Of images with values from 0 to 1, a row each. Features of an image depend on that image alone.
  FloatMatrix of(const FloatMatrix& images) const;
};

}  // namespace tulle

#pragma GCC visibility pop
