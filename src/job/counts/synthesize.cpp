#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/counts/synthesize.hpp>
#include <tulle/job/options/common.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr double kMostDrawn = 1e9;

ModelFile model_to_draw_from(const SynthesizeOptions& options) {
  if (options.from_model) return *options.from_model;
  SavedModel model = load(options.model);
  check_made_by(options.model, model, {"count"});
  return std::get<ModelFile>(std::move(model));
}

double sum_of(std::span<const double> numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum;
}

// Whole numbers of events in all cells of an array.
SparseTensor rounded(const DenseTensor& counts, const SynthesizeOptions& options, Random& random) {
  const double sum = sum_of(counts.values());
  const double events = options.events ? static_cast<double>(*options.events) : std::round(sum);
  const double share = sum > 0 ? events / sum : 0;
  SparseTensor drawn(counts.shape(), Unlisted::zero);
  double before = random.uniform();
  std::array<Index, kMaxOrder> cell{};
  const std::span<const Index> shown(cell.data(), static_cast<std::size_t>(counts.order()));
  for (const double count : counts.values()) {
    const double after = before + count * share;
    const double whole = std::floor(after) - std::floor(before);
    if (whole > 0) drawn.append(shown, static_cast<float>(whole));
    before = after;
    for (int mode = counts.order() - 1; mode >= 0 && ++cell[mode] == counts.shape()[mode]; --mode)
      cell[mode] = 0;
  }
  return drawn;
}

// Draws single events of a sparse form: each is one of a kept cell, or goes down the forest.
class EventDraw {
 public:
  explicit EventDraw(const SparseCounts& counts)
      : counts_(counts), kept_(sums_up_to(counts.counts)), forest_(counts.events.mean) {
    for (const std::uint64_t place : counts.places) forest_ -= counts.of_forest(place);
    if (forest_ < 1e-9 * counts.events.mean) forest_ = 0;  // all cells are kept: rounding alone is left

    for (const ModeShares& node : counts.modes) shares_.push_back(sums_up_to(node.shares));
  }

  double all() const { return forest_ + (kept_.empty() ? 0 : kept_.back()); }

  std::uint64_t place(Random& random) const {
    const double at = random.uniform() * all();
    if (at >= forest_) return counts_.places[first_above(kept_, 0, kept_.size(), at - forest_)];
    for (;;) {
      const std::uint64_t place = down_the_forest(random);
      if (!std::ranges::binary_search(counts_.places, place)) return place;
    }
  }

 private:
  std::uint64_t down_the_forest(Random& random) const {
    std::array<Index, kMaxOrder> cell{};
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const ModeShares& node = counts_.modes[i];
      const std::size_t row = node.parent < 0 ? 0 : cell[static_cast<std::size_t>(node.parent)];
      const std::size_t size = counts_.extent[node.mode], begin = row * size;
      const double below = begin == 0 ? 0 : shares_[i][begin - 1];
      const double wanted = below + random.uniform() * (shares_[i][begin + size - 1] - below);
      cell[static_cast<std::size_t>(node.mode)] =
          static_cast<Index>(first_above(shares_[i], begin, begin + size, wanted) - begin);
    }
    return counts_.extent.offset(std::span(cell).first(shares_.size()));
  }

  static std::vector<double> sums_up_to(const std::vector<double>& numbers) {
    std::vector<double> sums(numbers.size());
    std::partial_sum(numbers.begin(), numbers.end(), sums.begin());
    return sums;
  }

  static std::size_t first_above(const std::vector<double>& sums, std::size_t begin, std::size_t end,
                                 double wanted) {
    const auto first = sums.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = sums.begin() + static_cast<std::ptrdiff_t>(end) - 1;
    return static_cast<std::size_t>(std::upper_bound(first, last, wanted) - sums.begin());
  }

  const SparseCounts& counts_;
  std::vector<std::vector<double>> shares_;
  std::vector<double> kept_;
  double forest_;
};

SparseTensor drawn_one_by_one(const SparseCounts& counts, const SynthesizeOptions& options, Random& random) {
  const EventDraw draw(counts);
  const double events = options.events ? static_cast<double>(*options.events) : std::round(draw.all());
  if (events > kMostDrawn)
    fail_usage("@events: {:.3g} events are drawn one by one; give at most {:.3g}", events, kMostDrawn);
  std::vector<std::uint64_t> places(draw.all() > 0 ? static_cast<std::size_t>(events) : 0);
  for (std::uint64_t& place : places) place = draw.place(random);
  std::ranges::sort(places);
  SparseTensor drawn(counts.extent, Unlisted::zero);
  for (std::size_t i = 0, next; i < places.size(); i = next) {
    for (next = i; next < places.size() && places[next] == places[i];) ++next;
    const auto cell = cell_of_place(counts.extent, places[i]);
    drawn.append(std::span(cell).first(static_cast<std::size_t>(counts.extent.order())),
                 static_cast<float>(next - i));
  }
  return drawn;
}

}  // namespace

Dataset synthesize(const SynthesizeOptions& options) {
  check_outputs({options.output}, {options.model});
  ModelFile file = model_to_draw_from(options);
  const Counts& counts = std::get<Counts>(file.model);
  Random random(seed_or_new(options.seed));
  SparseTensor drawn = counts.sparse ? drawn_one_by_one(*counts.sparse, options, random)
                                     : rounded(counts.cells, options, random);
  return {std::move(file.modes), std::move(drawn)};
}

void SynthesizeOptions::declare(OptionTable& table) {
  table.add("model", model, "Model file of tulle count").required();
  table.add("output", output, "File for the events, with their number in each cell").required();
  table.add("events", events, "Number of events [as many as are estimated]");
  declare_seed(table, seed);
}

}  // namespace tulle
