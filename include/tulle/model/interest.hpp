// Which positions of one mode users have cells at, whatever their values: films they saw, articles they read.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Interest {
  int mode = 0;
  Vector popularity;         // of every position: the larger, the more users have cells at it
  std::vector<Index> often;  // positions of which it is known which go together
  Matrix directions;         // a row for each of these: a user is expected to have directions * (her own row)
  Vector own;                // of each of these, the variance that directions leave

  // Scores of all positions for a user who has cells at `seen`: the larger, the likelier is a cell there.
  // Positions that are not among `often` come behind these, by popularity. Without directions, or a seen
  // position among `often`, popularity is all there is.
  Vector scores(std::span<const Index> seen) const;
};

// An Error unless it is of a mode of this shape and its sizes agree: called for what is read from a file.
void check(const Interest& interest, const Shape& shape);

}  // namespace tulle

#pragma GCC visibility pop
