// Positions of modes as axes of a grid, along which neighbours may be alike.
#pragma once

#include <tulle/data/mode_order.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstddef>
#include <vector>

namespace tulle {

// Waves along an axis, from the smoothest on: the eigenvectors of the graph of neighbours (its Laplacian),
// and by how much neighbours differ along each (its eigenvalues). Of an axis without order neither is used.
struct OrderedAxis {
  Index size = 0;
  Eigen::MatrixXd waves = {};
  Vector roughness = {};

  bool has_order() const { return waves.size() > 0; }
};

// The axes of one mode, and where its positions are on them.
struct ModeAxes {
  std::vector<OrderedAxis> axes;
  std::vector<std::size_t> place;  // of each position, in C order of the axes

  std::size_t size() const;
  bool has_order() const;
};

// A mode without a period is one axis, of its positions from the first place to the last; a mode with one is
// a circle of as many nodes as the period has, and the turns around it if there are several. A mode of too
// few positions to show an order, or of too many to compute with, has none.
ModeAxes axes_of(const ModeOrder& order, Index positions);

// Ranks of positions by their places.
std::vector<Index> ranks_of(const ModeOrder& order, Index positions);

}  // namespace tulle
