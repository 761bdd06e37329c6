#include <tulle/privacy/curator.hpp>

tulle::Batch chosen() {
  return tulle::Batch(tulle::Maker::next(), tulle::PoissonSampling::what_if(0.1),
                      {1, 2, 3});  // error: is private within this context
}
