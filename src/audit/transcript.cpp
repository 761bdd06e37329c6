#include "transcript.hpp"

#include <algorithm>
#include <cmath>

namespace tulle::attacks {
namespace {

double log_likelihood_of(const AdditiveNoise& noise, const Witness::ExactAnswers& exact,
                         const std::vector<double>& values) {
  const double without = noise.log_likelihood(values, exact.answers.front());
  if (exact.answers.size() == 1) return without;
  const double with = noise.log_likelihood(values, exact.answers.back());
  const double most = std::max(with, without);
  return most + std::log((1 - exact.rate) * std::exp(without - most) + exact.rate * std::exp(with - most));
}

std::vector<std::uint64_t> others(std::vector<std::uint64_t> units,
                                  const std::optional<std::uint64_t>& watched) {
  if (watched) std::erase(units, *watched);
  return units;
}

}  // namespace

std::vector<std::uint64_t> with_own_coin(std::vector<std::uint64_t> recorded,
                                         const std::vector<std::uint64_t>& drawn, const Watched& watched) {
  if (watched && std::ranges::binary_search(drawn, *watched))
    recorded.insert(std::ranges::upper_bound(recorded, *watched), *watched);
  return recorded;
}

std::vector<double> Transcript::numbers() const {
  constexpr std::uint64_t kFirst = 4;
  std::vector<double> all;
  for (const auto& values : releases) all.insert(all.end(), values.begin(), values.end());
  for (const auto& batch : batches)
    for (std::uint64_t unit = 0; unit < kFirst; ++unit)
      all.push_back(std::ranges::find(batch, unit) != batch.end() ? 1 : 0);
  return all;
}

void Recorder::sampled(std::vector<std::uint64_t>& units) {
  transcript_.batches.push_back(others(units, watched_));
}

void Recorder::released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) {
  log_likelihood_ += log_likelihood_of(noise, exact, values);
  transcript_.releases.push_back(values);
}

double Player::log_likelihood() const {
  return release_ == transcript_.releases.size() ? log_likelihood_ : -INFINITY;
}

void Player::impossible() {
  log_likelihood_ = -INFINITY;
  throw Over();
}

void Player::sampled(std::vector<std::uint64_t>& units) {
  if (batch_ >= transcript_.batches.size()) impossible();
  units = with_own_coin(transcript_.batches[batch_++], units, watched_);
}

void Player::seeded(std::uint64_t& seed) {
  if (seed_ == seeds_.size()) impossible();
  seed = seeds_[seed_++];
}

void Player::released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) {
  if (release_ == transcript_.releases.size() || values.size() != transcript_.releases[release_].size())
    impossible();
  values = transcript_.releases[release_++];
  log_likelihood_ += log_likelihood_of(noise, exact, values);
  if (release_ == transcript_.releases.size()) throw Over();
}

std::vector<std::vector<std::uint64_t>> guessed_seeds(std::size_t seeds, RandomBits& bits) {
  constexpr std::size_t kGuesses = 16;
  std::vector<std::vector<std::uint64_t>> guesses(seeds > 0 ? kGuesses : 1,
                                                  std::vector<std::uint64_t>(seeds));
  for (std::vector<std::uint64_t>& guess : guesses)
    for (std::uint64_t& seed : guess) seed = bits.word();
  return guesses;
}

double log_mean(const std::vector<double>& values) {
  const double most = std::ranges::max(values);
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (double value : values) sum += std::exp(value - most);
  return most + std::log(sum / static_cast<double>(values.size()));
}

}  // namespace tulle::attacks
