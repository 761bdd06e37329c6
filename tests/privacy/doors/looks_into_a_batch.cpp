// How many units there are can be private, and the coins are what protects a sampled unit.
#include <tulle/privacy/curator.hpp>

std::size_t units(tulle::Curator& curator, const tulle::Protected<std::uint64_t>& count) {
  return curator.sample(tulle::PoissonSampler(1), count)
      .units_.size();  // error: is private within this context
}
