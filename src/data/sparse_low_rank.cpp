#include "draw.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// The positions of one mode, some drawn more often than others.
class PowerLaw {
 public:
  PowerLaw(Index size, double exponent, Random& random)
      : log_end_(std::log1p(static_cast<double>(size))), power_(1 - exponent), positions_(size) {
    std::iota(positions_.begin(), positions_.end(), Index{0});
    random.shuffle(std::span(positions_));
  }

  Index size() const { return static_cast<Index>(positions_.size()); }
  Index operator[](std::size_t number) const { return positions_[number]; }

  // The whole part of x, where x has density proportional to x^-exponent on [1, size + 1): with a = 1 -
  // exponent and u uniform, x^a = 1 + u ((size + 1)^a - 1), computed so that no digits are lost for a near 0.
  Index draw(Random& random) const {
    const double u = random.uniform();
    const double log_x =
        std::abs(power_) < 1e-9 ? u * log_end_ : std::log1p(u * std::expm1(power_ * log_end_)) / power_;
    const auto number = static_cast<std::size_t>(std::exp(log_x)) - 1;
    return positions_[std::min<std::size_t>(number, positions_.size() - 1)];
  }

 private:
  double log_end_;
  double power_;
  std::vector<Index> positions_;  // from the most to the least frequent
};

// Numbers of the cells drawn so far: a hash table with linear probing, at most half full.
class CellSet {
 public:
  explicit CellSet(std::size_t most)
      : slots_(std::bit_ceil(2 * most), 0), shift_(64 - std::countr_zero(slots_.size())) {}

  bool contains(std::uint64_t cell) const { return slots_[slot_of(cell)] != 0; }
  bool insert(std::uint64_t cell) {  // false if it was present
    std::uint64_t& slot = slots_[slot_of(cell)];
    return std::exchange(slot, cell + 1) == 0;
  }

 private:
  std::size_t slot_of(std::uint64_t cell) const {
    // Two rounds of multiply and shift: after only one, the regular distances between cells could still cause
    // long runs.
    std::uint64_t mixed = cell * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xbf58476d1ce4e5b9;
    std::size_t slot = mixed >> shift_;
    while (slots_[slot] != 0 && slots_[slot] != cell + 1) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  std::vector<std::uint64_t> slots_;  // cell + 1, or 0 if free
  int shift_;
};

class CellDrawing {
 public:
  CellDrawing(const Shape& shape, std::size_t count, double exponent, std::uint64_t seed)
      : shape_(shape),
        count_(count),
        random_(random_for(Use::positions, seed)),
        taken_(count),
        cells_(shape) {
    for (Index size : shape.dimensions()) modes_.emplace_back(size, exponent, random_);
    cells_.reserve(count);
  }

  Cells draw() {
    cover_every_position();
    draw_by_power_law();
    draw_uniformly();
    choose_among_free();
    return std::move(cells_);
  }

 private:
  using Cell = std::array<Index, kMaxOrder>;

  void take(const Cell& cell) {
    const auto positions = std::span(cell).first(modes_.size());
    if (taken_.insert(shape_.offset(positions))) cells_.append(positions);
  }

  // As many cells as the largest mode has positions; they differ in that mode, so all are distinct.
  void cover_every_position() {
    const auto sizes = shape_.dimensions();
    const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
    for (std::size_t number = 0; number < largest; ++number) {
      Cell cell{};
      for (std::size_t mode = 0; mode < modes_.size(); ++mode)
        cell[mode] = number < modes_[mode].size() ? modes_[mode][number] : modes_[mode].draw(random_);
      take(cell);
    }
  }

  // Gives up when most draws hit taken cells: after 8 draws per wanted cell.
  void draw_by_power_law() {
    for (std::size_t draws = 0; cells_.size() < count_ && draws / 8 < count_; ++draws) {
      Cell cell{};
      for (std::size_t mode = 0; mode < modes_.size(); ++mode) cell[mode] = modes_[mode].draw(random_);
      take(cell);
    }
  }

  // While at least half of the cells are free, so that at least every second draw is a new cell on average.
  void draw_uniformly() {
    while (cells_.size() < count_ && 2 * cells_.size() < shape_.cells()) {
      Cell cell{};
      for (std::size_t mode = 0; mode < modes_.size(); ++mode)
        cell[mode] = static_cast<Index>(random_.below(shape_[static_cast<int>(mode)]));
      take(cell);
    }
  }

  // Cells are missing at this point only if at least half of all cells are taken: the walk over all cells
  // takes at most 2 steps per wanted cell.
  void choose_among_free() {
    if (cells_.size() == count_) return;
    const std::size_t all = shape_.cells();
    std::size_t number = 0;
    select_in_order(all - cells_.size(), count_ - cells_.size(), random_, [&](std::size_t, bool chosen) {
      while (taken_.contains(number)) ++number;
      if (chosen) take(cell_at(number));
      ++number;
    });
  }

  Cell cell_at(std::size_t number) const {
    Cell cell{};
    for (int mode = shape_.order() - 1; mode >= 0; --mode) {
      cell[mode] = static_cast<Index>(number % shape_[mode]);
      number /= shape_[mode];
    }
    return cell;
  }

  const Shape shape_;
  const std::size_t count_;
  Random random_;
  std::vector<PowerLaw> modes_;
  CellSet taken_;
  Cells cells_;
};

// Entries uniform on [0, 2) and weights 1 / rank: every cell has mean 1, whatever the order and the rank.
Cp non_negative_cp(const Shape& shape, int rank, Random random) {
  Cp model;
  model.weights = Vector::Constant(rank, 1.0 / rank);
  for (Index size : shape.dimensions())
    model.factors.push_back(Matrix::NullaryExpr(size, rank, [&] { return 2 * random.uniform(); }));
  return model;
}

void check_request(const Shape& shape, std::size_t nnz, int rank, double noise, double exponent) {
  if (rank < 1) fail_usage("rank {}: give 1 or more", rank);
  if (!(noise >= 0) || std::isinf(noise))
    fail_usage("noise {}: give a standard deviation of 0 or more", noise);
  if (!(exponent >= 0) || std::isinf(exponent)) fail_usage("exponent {}: give a number from 0", exponent);
  const auto sizes = shape.dimensions();
  const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
  if (nnz < largest)
    fail("{} cells cannot touch all {} positions of the largest mode; ask for {} cells or more", nnz, largest,
         largest);
  if (nnz > shape.cells()) fail("a {} tensor has {} cells, fewer than {}", shape.text(), shape.cells(), nnz);
}

}  // namespace

SparseTensor sparse_low_rank(const Shape& shape, std::size_t nnz, int rank, double noise, double exponent,
                             std::uint64_t seed) {
  check_request(shape, nnz, rank, noise, exponent);
  Cells cells = CellDrawing(shape, nnz, exponent, seed).draw();
  std::vector<double> values = non_negative_cp(shape, rank, random_for(Use::values, seed)).predict(cells);
  if (noise > 0) add_noise(values, noise, seed);
  return {std::move(cells), std::vector<float>(values.begin(), values.end()), Unlisted::missing};
}

}  // namespace tulle
