#include <tulle/base/error.hpp>
#include <tulle/privacy/account/sampling.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

PoissonSampling::PoissonSampling(double rate) : rate_(rate) {
  if (!(rate > 0 && rate <= 1))
    fail_usage("a sampling rate of {}; it is a probability above 0, at most 1", rate);
}

PoissonSampling PoissonSampling::for_group(std::uint64_t size) const {
  if (size < 1) fail_usage("a group of 0 units; it has at least 1");
  if (size == 1 || rate_ == 1) return *this;
  const double any = -std::expm1(static_cast<double>(size) * std::log1p(-rate_));
  return PoissonSampling(std::min(1.0, any * (1 + 1e-14)));
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
