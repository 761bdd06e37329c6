// Public features of images, which no data were looked at for: histograms of oriented gradients (Dalal and
// Triggs 2005).
//
// The image is differentiated by Gaussians; the length of the gradient is divided among eight directions,
// smoothed over cells, and the histogram of each cell is divided by its norm, so that faint and bold strokes
// count alike. Small images have histograms at two scales. Of images of 16 x 16 pixels or more, the length in
// each direction is taken for an image in turn, and the features are the histograms of these eight: they say
// where strokes end and turn, as the second order of a scattering transform does (Bruna and Mallat 2013). All
// features of an image are a vector of norm 1 at most.
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
