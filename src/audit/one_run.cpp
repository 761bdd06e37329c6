#include "subjects.hpp"

#include <tulle/base/random.hpp>

#include <cmath>

namespace tulle::attacks {
namespace {

// One component around the middle of the range, as large as a move up or down allows.
double base_of(const std::array<Index, 3>& cell, double move) {
  return 0.5 +
         (0.5 - move) * std::sin(1.0 + cell[0]) * std::cos(0.5 * cell[1]) * std::sin(2.0 + 0.3 * cell[2]);
}

struct Cube {
  SparseTensor cells;
  std::vector<double> bases;

  Cube(const Shape& shape, double move, const std::vector<bool>& bits) : cells(shape, Unlisted::missing) {
    for (Index i = 0; i < shape[0]; ++i)
      for (Index j = 0; j < shape[1]; ++j)
        for (Index k = 0; k < shape[2]; ++k) {
          const std::array<Index, 3> cell{i, j, k};
          bases.push_back(base_of(cell, move));
          cells.append(cell, static_cast<float>(bases.back() + (bits[cells.size()] ? move : -move)));
        }
  }
};

// Reads the values of single cells from releases that hold one value per cell.
class CellReader : public Witness {
 public:
  explicit CellReader(const Cube& cube) : cube_(cube), scores_(cube.bases.size()) {}

  std::optional<std::uint64_t> watched_unit() const override { return {}; }
  void sampled(std::vector<std::uint64_t>&) override {}
  void taken(std::span<const std::uint64_t> units) override { units_.assign(units.begin(), units.end()); }

  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    if (units_.empty() && values.size() == scores_.size())
      for (std::uint64_t unit = 0; unit < values.size(); ++unit) units_.push_back(unit);
    const double half = noise.sensitivity().value() / 2;
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const std::uint64_t unit = units_[i];
      // A value is released relative to a public centre. Here the centre is computed from the exact answer,
      // which is impossible if the window clamps the value. Leaving a cell out must not depend on the bit, so
      // it is left out if the window clamps either of its two values.
      const double value = cube_.cells.values()[unit], centre = value - exact.answers.front()[i];
      const double other = 2 * cube_.bases[unit] - value;
      const auto inside = [&](double x) { return std::abs(x - centre) < half * (1 - 1e-6); };
      const bool whole = centre == 0;  // not relative to a centre
      scores_[unit] = whole || (inside(value) && inside(other))
                          ? (values[i] + centre - cube_.bases[unit]) / noise.deviation()
                          : 0;
    }
    units_.clear();
  }

  const std::vector<double>& scores() const { return scores_; }

 private:
  const Cube& cube_;
  std::vector<double> scores_;
  std::vector<std::uint64_t> units_;
};

struct OneRun {
  CompletionJob job;
  CraftedCells cells;

  std::vector<double> scores(const std::vector<bool>& bits, std::uint64_t seed) const {
    const Cube cube(cells.shape, cells.move, bits);
    CellReader reader(cube);
    Curator curator = job.open(RandomBits::seeded(seed));
    AuditedCurator::watch(curator, reader);
    const Completion completion = job.run(cube.cells, curator);
    if (cells.released) return reader.scores();
    std::vector<double> scores = predict(completion.model, cube.cells.cells());
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] -= cube.bases[i];
    return scores;
  }

  Guarantee account() const {
    Curator curator = job.open(RandomBits::seeded(0));
    return job.run(Cube(cells.shape, cells.move, std::vector<bool>(cells.shape.cells())).cells, curator)
        .guarantee;
  }
};

}  // namespace

ManyCanaries subject_of(const Method& method, const WorstCase& worst, const CraftedCells& crafted,
                        const Budget& budget) {
  const OneRun once{on_crafted_data(job_of(method, worst, budget), crafted.shape), crafted};
  const auto canaries = static_cast<std::size_t>(crafted.shape.cells());
  return {.canary = fmt::format("the values of {} cells in one run", canaries),
          .canaries = canaries,
          .white_box = crafted.released,
          .claimed_epsilon = budget.epsilon,
          .account = [=] { return once.account(); },
          .run = [=](const std::vector<bool>& bits, std::uint64_t seed) { return once.scores(bits, seed); }};
}

}  // namespace tulle::attacks
