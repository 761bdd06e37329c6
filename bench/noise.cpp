// Random bits and noise, on one core. Seconds are for a million numbers; "bytes" are those written to the
// result, the least that must move. The peers are the standard library's generator, which is no source for
// privacy, and what people build on it.
#include <tulle/base/threads.hpp>
#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/discrete.hpp>
#include <tulle/privacy/noise/release.hpp>

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kCount = 1'000'000;
constexpr int kRepeats = 7;

void measure(const std::string& bench, const std::string& who, const std::string& note,
             const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  fmt::print(
      "{{\"bench\": \"{}\", \"who\": \"{}\", \"seconds\": {:.6f}, \"bytes\": {}, \"millions_per_second\": "
      "{:.1f}, "
      "\"note\": \"{}\"}}\n",
      bench, who, best, 8 * kCount, kCount / best / 1e6, note);
}

template <class Noise>
void measure_integers(const std::string& bench, const std::string& note, const Noise& noise,
                      tulle::RandomBits& bits, std::vector<std::int64_t>& values) {
  measure(bench, "tulle", note, [&] {
    for (auto& value : values) value = noise.sample(bits);
  });
}

}  // namespace

int main() {
  using namespace tulle;
  set_threads(1);
  auto bits = RandomBits::secure();
  std::mt19937_64 twister(1);
  std::vector<std::uint64_t> words(kCount);
  std::vector<std::int64_t> integers(kCount);
  std::vector<double> reals(kCount);

  measure("random-bits", "tulle", "fill, secure", [&] { bits.fill(words); });
  measure("random-bits-word", "tulle", "word by word, secure", [&] {
    for (auto& word : words) word = bits.word();
  });
  for (const char* bench : {"random-bits", "random-bits-word"})
    measure(bench, "std::mt19937_64", "not secure", [&] {
      for (auto& word : words) word = twister();
    });

  measure("gaussian-bulk", "tulle", "secure", [&] { Gaussian::with_sigma(1).fill(reals, bits); });
  measure("gaussian-bulk", "std::normal_distribution", "mt19937_64, not secure", [&] {
    std::normal_distribution<double> normal;
    for (double& value : reals) value = normal(twister);
  });
  measure("laplace-bulk", "tulle", "secure", [&] { Laplace::with_scale(1).fill(reals, bits); });
  measure("laplace-bulk", "std::exponential_distribution", "mt19937_64 with a sign, not secure", [&] {
    std::exponential_distribution<double> exponential;
    for (double& value : reals) value = (twister() & 1) != 0 ? exponential(twister) : -exponential(twister);
  });

  measure_integers("discrete-gaussian-1", "exact, sigma 1", DiscreteGaussian::with_sigma2(1), bits, integers);
  measure_integers("discrete-gaussian-2^20", "exact, sigma 2^20.5",
                   DiscreteGaussian::with_sigma_at_least(0x1.6p20), bits, integers);
  measure_integers("discrete-laplace-1", "exact, scale 1", DiscreteLaplace::with_scale(1), bits, integers);
  measure_integers("discrete-laplace-2^20", "exact, scale 2^20.5",
                   DiscreteLaplace::with_scale_at_least(0x1.6p20), bits, integers);
  measure_integers("discrete-staircase", "exact, epsilon 1, sensitivity 2^20",
                   DiscreteStaircase::optimal(1, 1 << 20), bits, integers);

  measure_integers("rounded-gaussian", "exact, sigma 2^20.5", RoundedGaussian::with_sigma_at_least(0x1.6p20),
                   bits, integers);
  measure_integers("rounded-laplace", "exact, scale 2^20.5", RoundedLaplace::with_scale_at_least(0x1.6p20),
                   bits, integers);

  const auto noise = GridNoise::gaussian(1, 1);
  measure("release-gaussian", "tulle", "exact, on a grid, secure", [&] { release(reals, noise, bits); });
  measure("release-gaussian", "std::normal_distribution", "floating point, mt19937_64, not private", [&] {
    std::normal_distribution<double> normal;
    for (double& value : reals) value += normal(twister);
  });
}
