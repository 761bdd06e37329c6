#include "published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

MethodSetting published_learning_rate() {
  return as_published(takes(setting::learning_rate, fmt::format("{}", kPublishedRate), {.above = 0}));
}

PublishedSettings published_settings(const PrivateRequest& request) {
  if (request.terms.unit != Unit::entry || request.relation != Relation::replace)
    fail_usage(
        "as published, this method is for unit entry under replace; ask for those, or for the sound form");
  const std::optional<int> passes = request.settings.get(setting::steps);
  if (passes && request.fit.max_iterations)
    fail_usage("steps and @iterations are both the number of passes over the data; give one of them");
  const bool tucker = request.fit.model == ModelKind::tucker;
  PublishedSettings settings{
      .standard = {0, request.data.range().largest()},
      .loss = {.weight = 1, .ridge = request.fit.ridge.value_or(tucker ? 0.001 : 0.01), .core_ridge = 0.0001},
      .rate = request.settings.get(setting::learning_rate).value_or(kPublishedRate),
      .passes = passes.value_or(request.fit.max_iterations.value_or(100))};
  if (settings.passes < 1) fail_usage("{} iterations: give 1 or more", settings.passes);
  return settings;
}

PublishedSgd::PublishedSgd(const SparseTensor& observed, const ModelLayout& layout, const Standard& standard,
                           const PublishedLoss& loss, std::uint64_t seed)
    : observed_(std::make_shared<SparseTensor>(observed)),
      layout_(layout),
      standard_(standard),
      loss_(loss),
      numbers_(layout.size()),
      longest_(layout.order()) {
  Random random(seed);
  for (double& number : numbers_) number = random.uniform();
}

void PublishedSgd::pass(double rate, const std::optional<Perturbation>& perturbation) {
  CellGradient cell(layout_);
  std::vector<double> gradient;
  for (std::size_t entry = 0; entry < observed_->size(); ++entry) {
    const auto positions = observed_->cells().cell(entry);
    const double value = (observed_->values()[entry] - standard_.level) / standard_.scale;
    for (int mode = 0; mode < layout_.order(); ++mode) {
      const double push = -2 * loss_.weight * (value - cell.at(numbers_.data(), positions));
      double* const row = numbers_.data() + layout_.row(mode, positions[mode]);
      const std::size_t columns = layout_.columns(mode);
      gradient.resize(columns);
      double squares = 0;
      for (std::size_t p = 0; p < columns; ++p) {
        gradient[p] = push * cell.row(mode)[p] + 2 * loss_.weight * loss_.ridge * row[p];
        squares += gradient[p] * gradient[p];
      }
      longest_[mode] = std::max(longest_[mode], std::sqrt(squares));
      if (perturbation && perturbation->mode == mode)
        for (std::size_t p = 0; p < columns; ++p)
          gradient[p] = gradient[p] / std::max(1.0, std::sqrt(squares) / perturbation->clip) +
                        perturbation->noise[entry * columns + p];
      for (std::size_t p = 0; p < columns; ++p) row[p] -= rate * gradient[p];
    }
    if (!layout_.has_core()) continue;
    const double push = -2 * loss_.weight * (value - cell.at(numbers_.data(), positions));
    double* const core = numbers_.data() + layout_.core_start();
    for (std::size_t p = 0; p < layout_.core_size(); ++p)
      core[p] -= rate * (push * cell.core()[p] + 2 * loss_.weight * loss_.core_ridge * core[p]);
  }
  if (!std::isfinite(numbers_[0]))
    fail("the published algorithm grows without bound; give a smaller learning rate than {}", rate);
}

Model published_fit(const SparseTensor& cells, const ModelLayout& layout, const PublishedSettings& settings,
                    std::uint64_t seed) {
  PublishedSgd sgd(cells, layout, settings.standard, settings.loss, seed);
  for (int pass = 0; pass < settings.passes; ++pass) sgd.pass(settings.rate);
  return to_model(layout, sgd.numbers(), settings.standard.level, settings.standard.scale);
}

}  // namespace tulle
