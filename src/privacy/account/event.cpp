#include "match.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/event.hpp>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

double positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    fail_usage("{} of {}; it must be positive and finite", what, value);
  return value;
}

}  // namespace

Event Event::gaussian(double noise_multiplier) {
  return Event(GaussianRelease{positive(noise_multiplier, "a noise multiplier")});
}

Event Event::laplace(double noise_multiplier) {
  return Event(LaplaceRelease{positive(noise_multiplier, "a noise multiplier")});
}

Event Event::discrete_gaussian(double sigma, double sensitivity, std::uint64_t coordinates) {
  if (coordinates < 1) fail_usage("a release of no coordinates; it must have at least 1");
  return Event(DiscreteGaussianRelease{positive(sigma, "a sigma"), positive(sensitivity, "a sensitivity"),
                                       coordinates});
}

Event Event::discrete_laplace(double scale, std::uint64_t sensitivity) {
  if (sensitivity < 1) fail_usage("a sensitivity of 0; between integers it is at least 1");
  return Event(DiscreteLaplaceRelease{positive(scale, "a scale"), sensitivity});
}

Event Event::pure(double epsilon) {
  return approximate(epsilon, 0);
}

Event Event::approximate(double epsilon, double delta) {
  if (!(epsilon >= 0) || !std::isfinite(epsilon))
    fail_usage("an epsilon of {}; it must be finite and at least 0", epsilon);
  if (!(delta >= 0 && delta < 1)) fail_usage("a delta of {}; it must be at least 0 and below 1", delta);
  return Event(Approximate{epsilon, delta});
}

Event Event::sampled(const PoissonSampling& sampling) const {
  if (!std::holds_alternative<Unsampled>(sampling_))
    fail_usage("a release is sampled once; this one is sampled already");
  Event event = *this;
  event.sampling_ = sampling;
  return event;
}

Event Event::sampled(const FixedBatch& sampling) const {
  if (!std::holds_alternative<Unsampled>(sampling_))
    fail_usage("a release is sampled once; this one is sampled already");
  Event event = *this;
  event.sampling_ = sampling;
  return event;
}

namespace {

constexpr std::uint64_t kMostReleases = std::uint64_t{1} << 53;  // counts stay exact as doubles

[[noreturn]] void too_many() {
  fail_usage("more than 2^53 releases; an accountant counts no more of them");
}

}  // namespace

Event Event::times(std::uint64_t count) const {
  if (count < 1) fail_usage("a release made 0 times; leave it out instead");
  if (count > kMostReleases / count_) too_many();
  Event event = *this;
  event.count_ *= count;
  return event;
}

Event Event::joined(const Event& other) const {
  if (!same_release(other))
    fail_usage("different releases cannot be joined: {}, and {}", describe(*this), describe(other));
  if (other.count_ > kMostReleases - count_) too_many();
  Event event = *this;
  event.count_ += other.count_;
  return event;
}

void join(std::vector<Event>& events, const Event& event) {
  for (Event& known : events) {
    if (!known.same_release(event)) continue;
    known = known.joined(event);
    return;
  }
  events.push_back(event);
}

std::string describe(const Event& event) {
  std::string text = std::visit(
      Match{[](const GaussianRelease& m) {
              return fmt::format("Gaussian, noise multiplier {:.6g}", m.noise_multiplier);
            },
            [](const LaplaceRelease& m) {
              return fmt::format("Laplace, noise multiplier {:.6g}", m.noise_multiplier);
            },
            [](const DiscreteGaussianRelease& m) {
              return fmt::format("discrete Gaussian, sigma {:.6g}, sensitivity {:.6g}, {} coordinates",
                                 m.sigma, m.sensitivity, m.coordinates);
            },
            [](const DiscreteLaplaceRelease& m) {
              return fmt::format("discrete Laplace, scale {:.6g}, sensitivity {}", m.scale, m.sensitivity);
            },
            [](const Approximate& m) {
              return m.delta == 0
                         ? fmt::format("pure, epsilon {:.6g}", m.epsilon)
                         : fmt::format("approximate, epsilon {:.6g}, delta {:.3g}", m.epsilon, m.delta);
            }},
      event.mechanism());
  if (const auto* poisson = std::get_if<PoissonSampling>(&event.sampling()))
    text += fmt::format(", Poisson sampling at rate {:.6g}", poisson->rate());
  if (const auto* fixed = std::get_if<FixedBatch>(&event.sampling()))
    text += fmt::format(", {} of {} without replacement", fixed->batch(), fixed->population());
  if (event.count() > 1) text += fmt::format(", {} times", event.count());
  return text;
}

}  // namespace tulle
