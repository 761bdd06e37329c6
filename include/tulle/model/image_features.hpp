// Public features of images, chosen without looking at data: histograms of oriented gradients (Dalal and
// Triggs 2005).
//
// The image is differentiated by Gaussians; the length of the gradient is divided among eight directions and
// smoothed over cells, and the histogram of each cell is divided by its norm, so that faint and bold strokes
// count alike. Small images have histograms at two scales. For images of at least 16 x 16 pixels, the length
// in each direction is treated as an image in turn, and the features are the histograms of these eight: they
// describe where strokes end and turn, like the second order of a scattering transform (Bruna and Mallat
// 2013). All features of an image form a vector of norm at most 1.
#pragma once

#include <tulle/tensor/float_matrix.hpp>

#pragma GCC visibility push(default)

namespace tulle {

struct ImageFeatures {
  int height = 0, width = 0;  // of an image; 0: no features, the values themselves

  bool none() const { return height == 0; }
  Eigen::Index pixels() const { return Eigen::Index{height} * width; }
  Eigen::Index size() const;  // features of an image

  // Features of images with values from 0 to 1, one row each; each row depends on its image alone.
  FloatMatrix of(const FloatMatrix& images) const;
};

}  // namespace tulle

#pragma GCC visibility pop
