// The whole range that anyone may ask about: epsilon 1e-6 .. 50, delta 1e-15 .. 0.5, noise 0.05 .. 1e6, rate
// 1e-9 .. 1, steps 1 .. 1e7. Answers are numbers that make sense and move the right way with every argument,
// or infinite, or a refusal in words.
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using Release = Event (*)(double noise);

const Release kReleases[] = {
    [](double noise) { return Event::gaussian(noise); },
    [](double noise) { return Event::gaussian(noise); },
    [](double noise) { return Event::laplace(noise); },
    [](double noise) { return Event::discrete_gaussian(noise, 1); },
    [](double noise) { return Event::discrete_laplace(noise, 1); },
    [](double noise) { return Event::pure(1 / noise); },
};

// All that a question can have.
struct Case {
  Release release;
  Relation relation;
  double noise, rate;  // rate 1: not sampled
  std::uint64_t steps;
  double epsilon, delta;

  Event event() const {
    const Event one = release(noise);
    return (rate < 1 ? one.sampled(PoissonSampling::what_if(rate)) : one).times(steps);
  }
  double epsilon_answer() const { return epsilon_upper(std::vector{event()}, relation, delta).value; }
  double delta_answer() const { return delta_upper(std::vector{event()}, relation, epsilon).value; }
};

class Cases {
 public:
  explicit Cases(std::uint64_t seed) : random_(seed) {}

  // Every sixth argument or so lies at an end of its range.
  double any(double low, double high) {
    const double place = std::clamp(random_.uniform() * 1.2 - 0.1, 0.0, 1.0);
    return low * std::pow(high / low, place);
  }

  Case next(Release release) {
    Case drawn{release, Relation::add_remove, any(0.05, 1e6), 1, 0, any(1e-6, 50), any(1e-15, 0.5)};
    if (random_.chance(0.7)) drawn.rate = any(1e-9, 0.9999);
    drawn.steps = static_cast<std::uint64_t>(any(1, 1e7));
    return drawn;
  }

 private:
  Random random_;
};

// `larger` and `smaller` up to the share that a bound may be loose by; those that are infinite are equal.
void expect_order(const char* argument, double smaller, double larger, double loose, double floor) {
  EXPECT_FALSE(std::isnan(smaller) || std::isnan(larger)) << argument;
  if (std::isinf(larger)) return;
  EXPECT_LE(smaller, larger * (1 + loose) + floor) << argument;
}

void expect_monotone(const Case& here, double (Case::*answer)() const, double loose, double floor) {
  const double at_here = (here.*answer)();
  EXPECT_GE(at_here, 0);
  const auto with = [&](auto change) {
    Case other = here;
    change(other);
    return (other.*answer)();
  };
  expect_order("noise", with([](Case& c) { c.noise *= 1.3; }), at_here, loose, floor);
  expect_order("steps", at_here, with([](Case& c) { c.steps += c.steps / 2 + 1; }), loose, floor);
  if (here.rate < 0.75) expect_order("rate", at_here, with([](Case& c) { c.rate *= 1.3; }), loose, floor);
  expect_order("delta", with([](Case& c) { c.delta = std::min(0.9, c.delta * 1.5); }), at_here, loose, floor);
  expect_order("epsilon", with([](Case& c) { c.epsilon *= 1.3; }), at_here, loose, floor);
}

TEST(Extremes, EpsilonIsMonotoneInEveryArgument) {
  Cases cases(3);
  for (Release release : kReleases) {
    const Case here = cases.next(release);
    SCOPED_TRACE(fmt::format("{}, delta {}", describe(here.event()), here.delta));
    expect_monotone(here, &Case::epsilon_answer, 2e-3, 1e-12);
  }
}

TEST(Extremes, DeltaIsMonotoneInEveryArgumentAndAProbability) {
  Cases cases(4);
  for (int i = 0; i < 2; ++i)
    for (Release release : kReleases) {
      const Case here = cases.next(release);
      SCOPED_TRACE(fmt::format("{}, epsilon {}", describe(here.event()), here.epsilon));
      EXPECT_LE(here.delta_answer(), 1);
      expect_monotone(here, &Case::delta_answer, 1e-2, 1e-29);  // below 1e-30 a delta need not be known well
    }
}

// What calibration answers with meets the target; where nothing does, it says so.
TEST(Extremes, CalibrationMeetsItsTargetOrRefuses) {
  Cases cases(5);
  int met = 0;
  for (Release release : kReleases) {
    Case here = cases.next(release);
    const Target target{here.epsilon, here.delta};
    SCOPED_TRACE(fmt::format("{}, epsilon {}, delta {}", describe(here.event()), here.epsilon, here.delta));
    const auto meets = [&](const Case& found) {
      EXPECT_LE(found.delta_answer(), found.delta * (1 + 1e-9));
      ++met;
    };
    try {
      Case found = here;
      const std::uint64_t steps = std::exchange(here.steps, 1);
      found.steps = steps_for(target, here.relation, here.event());
      if (found.steps > 0) meets(found);
      found = here;
      found.steps = steps;
      found.noise = noise_for(target, here.relation, [&](double noise) {
        Case with = found;
        with.noise = noise;
        return with.event();
      });
      meets(found);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(met, 5);
}

// Integer noise under replacement is analysed through its distance from continuous noise, which must not be
// charged at e^epsilon where a smaller epsilon holds already.
TEST(Extremes, ALargerEpsilonNeverCostsMoreDelta) {
  const Event event = Event::discrete_gaussian(15000, 1).sampled(PoissonSampling::what_if(0.5));
  double last = 1;
  for (double epsilon : {1e-4, 1e-2, 1.0, 10.0, 20.0, 50.0}) {
    const double delta = delta_upper(std::vector{event}, Relation::replace, epsilon).value;
    EXPECT_LE(delta, last * 1.01);
    last = delta;
  }
  EXPECT_LT(last, 1e-8);
  EXPECT_EQ(rate_for({50, 1e-6}, Relation::replace, Event::discrete_gaussian(15000, 1), 1), 1);
}

// Noise so small that e^-loss vanishes beside 1, together with another release.
TEST(Extremes, LittleNoiseBesidePureReleases) {
  for (double sigma : {0.3, 0.2, 0.14, 0.05})
    for (double pure : {0.5, 5.0, 50.0})
      for (Relation relation : {Relation::replace, Relation::add_remove}) {
        const std::vector<Event> both{Event::gaussian(sigma), Event::pure(pure)};
        const double epsilon = epsilon_upper(both, relation, 1e-6).value;
        const double alone = epsilon_upper(std::span(both).first(1), relation, 1e-6).value;
        EXPECT_GE(epsilon, alone * (1 - 1e-9)) << sigma << " " << pure;
        EXPECT_LE(epsilon, 2 * (alone + pure)) << sigma << " " << pure;
      }
}

// What one release shows, several show too, however small delta is: points of a loss end somewhere, and what
// lies beyond them must be counted.
TEST(Extremes, SeveralReleasesAreNoBetterThanOneAtTinyDeltas) {
  for (Relation relation : {Relation::add_remove, Relation::replace})
    for (double noise : {0.5, 1.0, 3.0})
      for (double rate : {0.1, 0.5, 1.0})
        for (double epsilon : {8.0, 15.0, 26.0, 60.0}) {
          Case one{kReleases[0], relation, noise, rate, 1, epsilon, 0}, two = one, three = one;
          two.steps = 2;
          three.steps = 3;
          EXPECT_GE(two.delta_answer(), one.delta_answer()) << noise << ' ' << rate << ' ' << epsilon;
          EXPECT_GE(three.delta_answer(), two.delta_answer()) << noise << ' ' << rate << ' ' << epsilon;
        }
}

// Pure releases leave all of delta to the others, as a planner that adds epsilons up counts on.
TEST(Extremes, PureReleasesNeedNoShareOfATinyDelta) {
  const double delta = 1e-300;
  const std::vector gaussian{Event::gaussian(8)}, both{Event::pure(0.5), gaussian[0]};
  EXPECT_LE(epsilon_upper(both, Relation::replace, delta).value,
            (0.5 + epsilon_upper(gaussian, Relation::replace, delta).value) * (1 + 1e-13));
}

}  // namespace
}  // namespace tulle
