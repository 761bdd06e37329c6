#include <tulle/privacy/curator.hpp>

tulle::PoissonSampling pretend() {
  return tulle::FixedBatch(100, 10'000);  // error: could not convert
}
