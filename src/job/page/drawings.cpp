#include <tulle/job/run_page.hpp>
#include <tulle/report/bars.hpp>
#include <tulle/report/heat_map.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr std::size_t kMostRows = 8, kMostWords = 8, kMostTopics = 12;

std::string mode_name(const std::vector<Mode>& modes, std::size_t mode) {
  return mode < modes.size() && !modes[mode].name.empty() ? modes[mode].name
                                                          : fmt::format("mode{}", mode + 1);
}

bool finite(const std::vector<std::vector<double>>& rows) {
  return std::ranges::all_of(rows, [](const auto& row) {
    return std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
  });
}

// Draws columns of a matrix as rows of a map, by their names or numbers. Skips matrices that noise has made
// infinite, since by now the run is paid for.
template <class AnyMatrix>
void add_columns(std::vector<Drawing>& all, const AnyMatrix& matrix, const std::string& name,
                 const std::string& positions, const std::string& columns,
                 const std::vector<std::string>& names = {}) {
  if (matrix.rows() < 2 || matrix.cols() < 1) return;
  const auto shown = std::min<std::size_t>(kMostRows, static_cast<std::size_t>(matrix.cols()));
  HeatMap map{.title = name, .row_labels = {}, .x_label = positions, .rows = {}};
  for (std::size_t c = 0; c < shown; ++c) {
    map.row_labels.push_back(c < names.size() ? names[c] : fmt::format("{}", c + 1));
    std::vector<double>& row = map.rows.emplace_back();
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      row.push_back(static_cast<double>(matrix(i, static_cast<Eigen::Index>(c))));
  }
  if (!finite(map.rows)) return;
  const std::string part = shown < static_cast<std::size_t>(matrix.cols())
                               ? fmt::format("the first {} of {} {}", shown, matrix.cols(), columns)
                               : fmt::format("{} {}", shown, columns);
  all.push_back({to_svg(map), fmt::format("{}: {} over {} positions", name, part, matrix.rows())});
}

void add_factors(std::vector<Drawing>& all, const std::vector<Matrix>& factors,
                 const std::vector<Mode>& modes) {
  for (std::size_t mode = 0; mode < factors.size(); ++mode)
    add_columns(all, factors[mode], "Factor of " + mode_name(modes, mode), mode_name(modes, mode),
                "components");
}

void add_offsets(std::vector<Drawing>& all, const Biases& biases, const std::vector<Mode>& modes) {
  for (std::size_t mode = 0; mode < biases.offsets.size(); ++mode)
    add_columns(all, biases.offsets[mode], "Offsets of " + mode_name(modes, mode), mode_name(modes, mode),
                "row");
}

void add(std::vector<Drawing>& all, const Cp& model, const std::vector<Mode>& modes) {
  add_factors(all, model.factors, modes);
  add_offsets(all, model.biases, modes);
}

void add(std::vector<Drawing>& all, const Tucker& model, const std::vector<Mode>& modes) {
  add_factors(all, model.factors, modes);
  add_offsets(all, model.biases, modes);
}

void add_bars(std::vector<Drawing>& all, Bars bars, const std::string& caption) {
  double largest = 0;
  for (const Bars::Bar& bar : bars.bars) {
    if (!std::isfinite(bar.to)) return;
    largest = std::max(largest, bar.to);
  }
  bars.high = largest > 0 ? largest : 1;
  if (!bars.bars.empty()) all.push_back({to_svg(bars), caption});
}

// The Euclidean norm of each diagonal tube of S.
void add(std::vector<Drawing>& all, const Tubal& model, const std::vector<Mode>& modes) {
  const auto rank = static_cast<std::size_t>(model.rank());
  if (rank == 0) return;
  const std::size_t length = model.s.size() / rank;
  Bars bars{.title = "Norms of the singular tubes", .bars = {}};
  for (std::size_t r = 0; r < std::min(rank, kMostTopics); ++r) {
    double square = 0;
    for (double value : model.s.values().subspan(r * length, length)) square += value * value;
    bars.bars.push_back(
        {fmt::format("{}", r + 1), 0, std::sqrt(square), fmt::format("{:.3g}", std::sqrt(square))});
  }
  add_bars(all, std::move(bars), "Norms of the singular tubes");
  add_offsets(all, model.biases, modes);
}

std::vector<Eigen::Index> most_probable_words(const Topics& model, int topic) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(model.topics.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](auto one, auto other) { return model.topics(one, topic) > model.topics(other, topic); });
  order.resize(std::min(order.size(), kMostWords));
  return order;
}

void add(std::vector<Drawing>& all, const Topics& model, const std::vector<Mode>& modes) {
  if (model.mixture()) return add_columns(all, model.topics, "Means", "coordinate", "components");
  if (!model.topics.allFinite()) return;
  for (int topic = 0; topic < std::min(model.count(), static_cast<int>(kMostTopics)); ++topic) {
    if (model.is_noise(topic)) continue;
    const std::string name = fmt::format("Topic {}, share {:.3g}", topic + 1, model.weights[topic]);
    Bars bars{.title = name, .bars = {}};
    for (Eigen::Index word : most_probable_words(model, topic)) {
      const double share = model.topics(word, topic);
      const std::string label =
          modes.empty() ? fmt::format("{}", word + 1) : position_name(modes[0], static_cast<Index>(word));
      bars.bars.push_back({label, 0, share, fmt::format("{:.3g}", share)});
    }
    add_bars(all, std::move(bars), name + ": its most probable words");
  }
}

// The expected sums over all modes but one.
void add(std::vector<Drawing>& all, const Counts& model, const std::vector<Mode>& modes) {
  const Shape shape = model.shape();
  const std::vector<std::vector<double>> by_position = sums_by_position(model);
  for (int mode = 0; mode < shape.order(); ++mode) {
    const std::vector<double>& of_mode = by_position[static_cast<std::size_t>(mode)];
    const Matrix sums = Eigen::Map<const Matrix>(of_mode.data(), std::ssize(of_mode), 1);
    const std::string name = mode_name(modes, static_cast<std::size_t>(mode));
    add_columns(all, sums, "Counts of " + name, name, "row", {"count"});
  }
}

}  // namespace

std::vector<Drawing> drawings_of(const ModelFile& file) {
  std::vector<Drawing> all;
  std::visit([&](const auto& model) { add(all, model, file.modes); }, file.model);
  return all;
}

std::vector<Drawing> drawings_of(const NetworkFile& file) {
  std::vector<Drawing> all;
  if (!file.model.layers.empty())
    add_columns(all, file.model.layers.back().weights, "Weights of the last layer", "unit", "classes",
                file.model.classes);
  return all;
}

std::vector<Drawing> drawings_of(const CoupledFile& file) {
  std::vector<Drawing> all;
  const Coupled& model = file.posterior.mean;
  for (const Factor& factor : model.factors) {
    if (factor.axes.size() != 2 || model.axes[factor.axes[0]].latent() ||
        !model.axes[factor.axes[1]].latent())
      continue;  // a core, or a scalar per position
    const Axis &entity = model.axes[factor.axes[0]], &latent = model.axes[factor.axes[1]];
    const Eigen::Map<const Matrix> matrix(factor.values.data(), static_cast<Eigen::Index>(entity.size),
                                          static_cast<Eigen::Index>(latent.size));
    add_columns(all, matrix, "Factor " + factor.name, entity.entity, "components");
  }
  return all;
}

std::vector<Drawing> drawings_of(const SavedModel& model) {
  return std::visit([](const auto& file) { return drawings_of(file); }, model);
}

}  // namespace tulle
