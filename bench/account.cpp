// Accounting for DP-SGD: epsilon by privacy loss distributions, and the noise for a target. The peer works
// on a grid of losses of interval 1e-4; "interval" says which grid ours had (0: its own choice).
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/pld.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>

namespace {

using namespace tulle;

template <class Work>
void measure(const char* bench, double interval, int repeats, const Work& work) {
  double least = std::numeric_limits<double>::infinity(), result = 0;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    result = work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::cout << nlohmann::json{{"bench", bench},
                              {"who", "tulle"},
                              {"seconds", least},
                              {"interval", interval},
                              {"result", result}}
            << std::endl;
}

}  // namespace

int main() {
  const auto steps = [](double rate, double noise, std::uint64_t count) {
    return Event::gaussian(noise).sampled(PoissonSampling::what_if(rate)).times(count);
  };
  const Event short_run = steps(0.01, 1, 1000), long_run = steps(256.0 / 60000, 1.1, 14062);
  for (double interval : {1e-4, 0.0}) {
    measure("pld-1000-steps", interval, 10, [&] {
      return pld_epsilon_upper({&short_run, 1}, Relation::add_remove, 1e-5, {interval});
    });
    measure("pld-14062-steps", interval, 10, [&] {
      return pld_epsilon_upper({&long_run, 1}, Relation::add_remove, 1e-5, {interval});
    });
  }
  measure("calibrate-sigma", 0, 3, [] {
    return gaussian_noise_for({1, 1e-5}, Relation::add_remove, PoissonSampling::what_if(0.01), 1000);
  });
}
