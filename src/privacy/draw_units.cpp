#include "draw_units.hpp"

#include "noise/chunks.hpp"

#include <array>
#include <utility>

namespace tulle {

std::vector<std::uint64_t> draw_units(const PoissonSampler& sampler, std::uint64_t count, RandomBits& bits) {
  constexpr std::uint64_t kChunk = 1 << 16;
  std::vector<std::vector<std::uint64_t>> parts((count + kChunk - 1) / kChunk);
  for_each_chunk(count, kChunk, bits, [&](std::uint64_t begin, std::uint64_t end, RandomBits& stream) {
    auto& part = parts[begin / kChunk];
    part.reserve(
        static_cast<std::size_t>(1.1 * sampler.sampling().rate() * static_cast<double>(end - begin)));
    std::array<std::uint64_t, 1020> words;
    std::size_t left = 0;
    const auto next = [&] {
      if (left == 0) stream.fill(words), left = words.size();
      return std::exchange(words[--left], 0);
    };
    sampler.draw(end - begin, next, [&](std::uint64_t unit) { part.push_back(begin + unit); });
  });
  std::vector<std::uint64_t> units = parts.empty() ? std::vector<std::uint64_t>() : std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) units.insert(units.end(), parts[i].begin(), parts[i].end());
  return units;
}

}  // namespace tulle
