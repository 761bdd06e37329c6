#include <tulle/base/error.hpp>
#include <tulle/privacy/account/sampling.hpp>

#include <cmath>

namespace tulle {

PoissonSampling::PoissonSampling(double rate) : rate_(rate) {
  if (!(rate > 0 && rate <= 1))
    fail_usage("a sampling rate of {}; it is a probability above 0, at most 1", rate);
}

PoissonSampler::PoissonSampler(double rate) : sampling_(rate), threshold_(0), certain_(rate == 1) {
  if (!certain_) threshold_ = static_cast<std::uint64_t>(std::floor(std::ldexp(rate, 64)));
}

FixedBatch::FixedBatch(std::uint64_t batch, std::uint64_t population)
    : batch_(batch), population_(population) {
  if (batch < 1 || batch > population)
    fail_usage("a batch of {} of {} units; it must hold at least 1 and at most all of them", batch,
               population);
}

}  // namespace tulle
