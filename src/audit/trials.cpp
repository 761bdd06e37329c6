#include "trials.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>
#include <exception>

namespace tulle::attacks {
namespace {

constexpr std::size_t kMostColumnsKept = 256;

}  // namespace

View::View(const std::vector<std::vector<double>>& rows) {
  for (const auto& row : rows) columns_ = std::max(columns_, std::min(row.size(), kMostColumnsKept));
  numbers_.resize(columns_ * rows.size());
  for (std::size_t trial = 0; trial < rows.size(); ++trial)
    for (std::size_t i = 0; i < std::min(rows[trial].size(), columns_); ++i)
      numbers_[trial * columns_ + i] = std::isfinite(rows[trial][i]) ? rows[trial][i] : 0;
}

void run_with_bits(std::size_t count, std::uint64_t seed,
                   const std::function<void(std::size_t, RandomBits&)>& body) {
  constexpr std::size_t kBlock = 16;  // number of runs that one stream serves
  std::vector<std::uint64_t> seeds;
  Random random(seed);
  for (std::size_t begin = 0; begin < count; begin += kBlock) seeds.push_back(random.bits());
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t block = 0; block < seeds.size(); ++block) {
    try {
      RandomBits bits = RandomBits::seeded(seeds[block]);
      for (std::size_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) body(i, bits);
    } catch (...) {
#pragma omp critical(audit_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

Trials run_trials(const Subject& subject, std::uint64_t count, std::uint64_t seed) {
  Trials trials;
  Random coins(seed);
  for (std::uint64_t trial = 0; trial < count; ++trial)
    trials.bits.push_back(static_cast<std::uint8_t>(coins.bits() >> 63));

  std::vector<std::vector<double>> output(count), releases(count);
  std::vector<double> ratios(count);
  std::vector<std::uint8_t> known(count);
  run_with_bits(count, coins.bits(), [&](std::size_t trial, RandomBits& bits) {
    Observation seen = subject.run(trials.bits[trial], bits);
    output[trial] = std::move(seen.output);
    releases[trial] = std::move(seen.releases);
    known[trial] = seen.log_ratio.has_value();
    ratios[trial] = seen.log_ratio.value_or(0);
  });
  trials.output = View(output);
  trials.releases = View(releases);
  if (std::ranges::all_of(known, [](std::uint8_t is) { return is != 0; }))
    trials.log_ratios = std::move(ratios);
  return trials;
}

}  // namespace tulle::attacks
