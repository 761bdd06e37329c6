// Synthetic tables of links with groups: who does what with what. Two tables may share a mode, as in studies.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace tulle {

struct LinkModel {
  int groups = 10;
  double exponent = 0.8;  // of the power law of positions, 0 to below 1
  double inside = 0.8;    // probability that a position is in the link's group
};

// `count` distinct cells of value 1; all others are zeros. A link has a group, and positions from that group
// or, less often, from any. The groups of a mode's positions and their probabilities depend only on the
// mode's name and the seed, so tables of one seed share the modes of equal name. An Error if the shape has
// fewer than 2 * count cells, or a mode fewer positions than there are groups.
SparseTensor draw_links(const Shape& shape, std::span<const std::string> modes, std::size_t count,
                        const LinkModel& model, std::uint64_t seed);

}  // namespace tulle
