// Random draws shared by the files of this room.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

// What a seed is used for. Every use has its own stream of random numbers: people pass the same seed to every
// step, and the test would not be fair if data were drawn with the numbers that a solver starts with, or a
// test set with those that chose the observed cells. Solvers use small stream numbers, so these are large.
enum class Use : std::uint64_t {
  signal = 1,
  noise,
  positions,
  values,
  observe,
  split,
  folds,
  zeros,
  deal,
  choose
};

inline Random random_for(Use use, std::uint64_t seed, std::uint64_t piece = 0) {
  return Random(seed, 0xda7a'0000'0000'0000 + (static_cast<std::uint64_t>(use) << 40) + piece);
}

// Selection sampling (Fan, Muller and Rezucha 1962; Knuth's algorithm S): calls visit(item, chosen) for item
// = 0 .. items-1; exactly `count` of them are chosen, each set of that size equally likely. Stores no list.
template <class Visit>
void select_in_order(std::size_t items, std::size_t count, Random random, Visit visit) {
  for (std::size_t item = 0; item < items; ++item) {
    const bool chosen = count > 0 && random.below(items - item) < count;
    count -= chosen;
    visit(item, chosen);
  }
}

// round(fraction * items).
std::size_t share(double fraction, std::size_t items);

// Adds N(0, deviation^2) to every value, the same for any number of threads.
void add_noise(std::span<double> values, double deviation, std::uint64_t seed);

// Lists cells of a dense tensor by their numbers in C order.
class Lister {
 public:
  Lister(const DenseTensor& tensor, std::size_t count);
  void list(std::size_t number);
  SparseTensor finish();  // unlisted cells are missing

 private:
  const DenseTensor& tensor_;
  std::vector<std::vector<Index>> columns_;
  std::vector<float> values_;
};

}  // namespace tulle
