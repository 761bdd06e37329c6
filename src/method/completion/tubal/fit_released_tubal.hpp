// The tubal model fitted to released cells whose noise is known.
#pragma once

#include <tulle/method/completion.hpp>

#include <vector>

namespace tulle {

struct NoisyCells {
  SparseTensor cells;
  std::vector<double> variances;  // of the noise, one per cell
  double level = 0;               // the model if nothing stands out of the noise
};

// Minimises the squared error, weighted by the noise, plus the tensor nuclear norm. Its weight is the one
// that keeps pure noise out, or a fraction of it, whichever is expected to be closest to the truth: on cells
// that are held out, and on the others, whose noise is known. If nothing is better than the level by more
// than chance, the result is the level. options.ranks limits the tubal rank.
Completion fit_released_tubal(const NoisyCells& released, const FitOptions& options);

}  // namespace tulle
