// The mean of all entries at public positions, released on its own: its sensitivity is width / n for n
// entries, so it has far less noise than the mean of released entries.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

class MeanRelease {
 public:
  MeanRelease(const PrivateRequest& request, double epsilon);

  const AdditiveNoise& noise() const { return noise_; }
  Stage stage() const { return {.loss = loss_of(noise_), .epsilon = epsilon_}; }
  Noisy release(const PrivateRequest& request, Curator& curator) const;  // in the entries' unit

 private:
  double epsilon_;
  AdditiveNoise noise_;  // on where it lies in the range, from 0 to 1
};

}  // namespace tulle
