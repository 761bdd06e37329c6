// The mean of all entries at public positions, released on its own: it moves by width / n when one of n
// entries moves, so it bears far less noise than the mean of released entries.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

class MeanRelease {
 public:
  MeanRelease(const PrivateRequest& request, double epsilon);

  const AdditiveNoise& noise() const { return noise_; }
  Noisy release(const PrivateRequest& request, Curator& curator) const;  // in the entries' unit

 private:
  AdditiveNoise noise_;  // on where it lies in the range, from 0 to 1
};

}  // namespace tulle
