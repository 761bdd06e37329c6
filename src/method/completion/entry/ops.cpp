// One posterior sample (OPS; ermis2020, theorem 2.9; Wang, Fienberg and Smola 2015): means of positions.
//
// Unit, relation:  entry, replace. Public: shape, positions, range. Pure epsilon.
// Model:           an entry at position j of one mode, the one with the fewest positions, is Normal around
//                  theta_j with known variance; theta_j has a uniform prior on points of the range. The
//                  posterior is known exactly. That of a factorization is not, and a chain that approaches
//                  it has no guarantee of this kind (mechanisms 5.3): ranks above 0 are refused.
// Releases:        theta_j of all positions, one draw of each: the exponential mechanism with the
//                  log-likelihood, tempered to precision epsilon / width^2 (noise/posterior_draw.hpp).
//                  Entries are rounded to whole numbers in -half .. half, so that replacing one changes one
//                  sum, by 2 half at most; the number of entries of a position is public.
// Composition:     an entry is in one sum, so the draws of all positions together cost what one costs.
// After that free: the mean of all draws, for positions without an entry.
// Cost:            O(entries).
#include "crafted.hpp"
#include "methods.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

void check_exact(const FitOptions& fit) {
  const bool components = std::ranges::any_of(fit.ranks, [](int rank) { return rank > 0; });
  if (components || fit.from)
    fail_usage(
        "method ops draws from an exact posterior, and there is none to draw from of a factorization, whose "
        "samplers only approach it; give rank 0 (means of positions), or use dp-sgld");
}

int mode_of_means(const Shape& shape) {
  int fewest = 0;
  for (int mode = 1; mode < shape.order(); ++mode)
    if (shape[mode] < shape[fewest]) fewest = mode;
  return fewest;
}

std::vector<std::uint64_t> entries_of_positions(const Cells& cells, int mode, std::uint64_t positions) {
  std::vector<std::uint64_t> counts(positions);
  for (Index position : cells.column(mode)) ++counts[position];
  return counts;
}

// The means of positions from the draws, where 0 is the middle of the range and `half` its end.
std::vector<double> means_of(const std::vector<double>& sums, const std::vector<std::uint64_t>& counts) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) sum += sums[i], count += static_cast<double>(counts[i]);
  std::vector<double> means(sums.size(), sum / count);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (counts[i] > 0) means[i] = sums[i] / static_cast<double>(counts[i]);
  return means;
}

Cp model_of_means(const Shape& shape, int mode, const std::vector<double>& means, double middle,
                  double unit) {
  Cp model{.weights = Vector(0), .factors = {}, .biases = {.global = middle, .offsets = {}}};
  for (int m = 0; m < shape.order(); ++m) {
    const auto size = static_cast<Eigen::Index>(shape[m]);
    model.factors.emplace_back(size, 0);
    model.biases.offsets.push_back(Vector::Zero(size));
  }
  for (std::size_t i = 0; i < means.size(); ++i)
    model.biases.offsets[static_cast<std::size_t>(mode)][static_cast<Eigen::Index>(i)] = means[i] * unit;
  return model;
}

Completion complete_with_draw(const PrivateRequest& request, Curator& curator) {
  check_exact(request.fit);
  const Cells& cells = request.data.positions();
  const Shape& shape = request.data.shape();
  const Range& range = request.data.range();
  const int mode = mode_of_means(shape);
  const std::vector<std::uint64_t> counts = entries_of_positions(cells, mode, shape[mode]);
  const double epsilon = curator.plan({{.loss = Loss::pure}})[0];
  const std::int64_t half = PosteriorDraw::finest_half(epsilon, *std::ranges::max_element(counts));
  if (half == 0) fail_usage("epsilon {} is too small for method ops on so many entries", epsilon);
  const auto draw =
      AdditiveNoise::posterior_draw(half, counts, request.terms.unit, request.relation, epsilon);

  const double unit = range.width() / (2 * static_cast<double>(half));
  const auto sums_of = [&](const SparseTensor& observed) {
    const auto most = static_cast<double>(half);
    std::vector<double> sums(counts.size());
    for (std::size_t entry = 0; entry < observed.size(); ++entry)
      sums[observed.column(mode)[entry]] +=
          std::clamp(std::round(range.centred(observed.values()[entry]) / unit), -most, most);
    return sums;
  };
  const Noisy drawn = curator.release(request.data.observed(), draw, "means of positions, drawn", sums_of);
  return {.model = model_of_means(shape, mode, means_of(drawn.values, counts), range.middle(), unit),
          .solver = "posterior draw",
          .converged = true,
          .remarks = {fmt::format("One draw from the posterior of the means of the {} positions of mode {}; "
                                  "entries count as Normal with standard deviation {:.4g}.",
                                  shape[mode], mode + 1, range.width() / std::sqrt(epsilon))}};
}

}  // namespace

Method ops_method() {
  return {.name = "ops",
          .title = "one sample from the exact posterior of the means of positions",
          .source = "ermis2020, theorem 2.9 (Wang, Fienberg and Smola 2015)",
          .guarantee = "epsilon-private for one entry under replace; which cells are observed is public",
          .details =
              "The mean of every position of the mode that has the fewest, drawn once from its posterior: a "
              "Normal distribution within the range, tempered so that a draw costs epsilon. There is no "
              "other noise. Factorizations have no posterior that can be sampled exactly: a rank above 0 is "
              "refused. A delta is not used.",
          .models = {ModelKind::cp},
          .protects = {{Unit::entry, Relation::replace}},
          .reads = {FitOption::rank},
          .sound = complete_with_draw,
          .no_refit = "the model is the one draw that is released",
          .pairs = {.means_alone = true},
          .worst_cases = {
              {.data = lone_value(), .rank = 0, .trials = 20'000},
              {.data = value_among_others(), .rank = 0, .trials = 20'000},
          }};
}

}  // namespace tulle
