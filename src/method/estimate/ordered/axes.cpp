#include "axes.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tulle {
namespace {

// Fewer positions cannot show that neighbours are alike, unless they are said to have an order; more are too
// many for dense matrices.
constexpr Index kFewestPlaces = 8, kFewestStated = 3, kMostPlaces = 1024;

OrderedAxis without_order(Index size) {
  return {.size = size};
}

// Neighbours a unit apart: the waves are those of the discrete cosine transform.
OrderedAxis even_line(Index size) {
  OrderedAxis axis{size, Eigen::MatrixXd(size, size), Vector(size)};
  for (Index wave = 0; wave < size; ++wave) {
    const double frequency = std::numbers::pi * wave / size;
    axis.roughness[wave] = 2 - 2 * std::cos(frequency);
    for (Index i = 0; i < size; ++i)
      axis.waves(i, wave) = std::sqrt((wave == 0 ? 1.0 : 2.0) / size) * std::cos(frequency * (i + 0.5));
  }
  return axis;
}

OrderedAxis circle(Index size) {
  OrderedAxis axis{size, Eigen::MatrixXd(size, size), Vector(size)};
  for (Index wave = 0; wave < size; ++wave) {
    const Index turns = (wave + 1) / 2;
    const double frequency = 2 * std::numbers::pi * turns / size;
    const bool alone = wave == 0 || 2 * turns == size;
    axis.roughness[wave] = 2 - 2 * std::cos(frequency);
    for (Index i = 0; i < size; ++i)
      axis.waves(i, wave) =
          std::sqrt((alone ? 1.0 : 2.0) / size) *
          (wave % 2 == 1 ? std::cos(frequency * i) : (wave == 0 ? 1.0 : std::sin(frequency * i)));
  }
  return axis;
}

// Of gaps in units of the median gap: neighbours far apart are less alike.
OrderedAxis line(std::vector<double> gaps) {
  std::vector<double> sorted = gaps;
  std::ranges::sort(sorted);
  const double median = sorted[sorted.size() / 2], unit = median > 0 ? median : 1;
  if (sorted.back() - sorted.front() < 1e-9 * unit) return even_line(static_cast<Index>(gaps.size()) + 1);
  constexpr double kNearest = 1e-2;
  const auto size = static_cast<Eigen::Index>(gaps.size()) + 1;
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index i = 0; i + 1 < size; ++i) {
    const double bond = 1 / std::max(gaps[static_cast<std::size_t>(i)] / unit, kNearest);
    laplacian(i, i) += bond;
    laplacian(i + 1, i + 1) += bond;
    laplacian(i + 1, i) = laplacian(i, i + 1) = -bond;
  }
  Eigendecomposition parts = eigendecomposition(laplacian);
  return {static_cast<Index>(size), std::move(parts.vectors), parts.values.cwiseMax(0)};
}

ModeAxes along_a_line(const ModeOrder& order, Index positions) {
  const std::vector<Index> ranks = ranks_of(order, positions);
  std::vector<double> places(positions), gaps;
  for (Index position = 0; position < positions; ++position) places[ranks[position]] = order.place(position);
  for (Index rank = 1; rank < positions; ++rank) gaps.push_back(places[rank] - places[rank - 1]);
  return {{line(std::move(gaps))}, {ranks.begin(), ranks.end()}};
}

ModeAxes around_a_circle(const ModeOrder& order, Index positions) {
  const auto period = static_cast<double>(order.period);
  std::vector<double> turns(positions);
  for (Index position = 0; position < positions; ++position)
    turns[position] = std::floor(order.place(position) / period);
  const auto [first, last] = std::ranges::minmax(turns);
  const auto turn_count = static_cast<Index>(last - first) + 1;
  const auto phases = static_cast<Index>(order.period);
  if (turn_count > kMostPlaces || phases > kMostPlaces) return {};
  ModeAxes mode;
  if (turn_count > 1)
    mode.axes.push_back(turn_count >= kFewestStated ? even_line(turn_count) : without_order(turn_count));
  mode.axes.push_back(circle(phases));
  for (Index position = 0; position < positions; ++position)
    mode.place.push_back(static_cast<std::size_t>((turns[position] - first) * phases +
                                                  (order.place(position) - turns[position] * period)));
  return mode;
}

}  // namespace

ModeAxes axes_of(const ModeOrder& order, Index positions) {
  const Index fewest = order.kind == ModeOrder::Kind::stated ? kFewestStated : kFewestPlaces;
  const bool has_order =
      order.kind != ModeOrder::Kind::none && positions >= fewest && positions <= kMostPlaces;
  ModeAxes mode;
  if (has_order) mode = order.period > 0 ? around_a_circle(order, positions) : along_a_line(order, positions);
  if (!mode.place.empty()) return mode;
  mode.axes = {without_order(positions)};
  mode.place.resize(positions);
  std::iota(mode.place.begin(), mode.place.end(), std::size_t{0});
  return mode;
}

std::size_t ModeAxes::size() const {
  std::size_t all = 1;
  for (const OrderedAxis& axis : axes) all *= axis.size;
  return all;
}

bool ModeAxes::has_order() const {
  return std::ranges::any_of(axes, &OrderedAxis::has_order);
}

std::vector<Index> ranks_of(const ModeOrder& order, Index positions) {
  std::vector<Index> sorted(positions), ranks(positions);
  std::iota(sorted.begin(), sorted.end(), Index{0});
  std::ranges::stable_sort(sorted, {}, [&](Index position) { return order.place(position); });
  for (Index rank = 0; rank < positions; ++rank) ranks[sorted[rank]] = rank;
  return ranks;
}

}  // namespace tulle
