#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/counts/synthesize.hpp>
#include <tulle/job/options/common.hpp>

#include <cmath>

namespace tulle {
namespace {

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

}  // namespace

Dataset synthesize(const SynthesizeOptions& options) {
  check_outputs({options.output}, {options.model});
  ModelFile file = model_to_draw_from(options);
  const DenseTensor& counts = std::get<Counts>(file.model).cells;
  const double sum = sum_of(counts.values());
  const double events = options.events ? static_cast<double>(*options.events) : std::round(sum);
  const double share = sum > 0 ? events / sum : 0;
  SparseTensor drawn(counts.shape(), Unlisted::zero);
  double before = Random(seed_or_new(options.seed)).uniform();
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
  return {std::move(file.modes), std::move(drawn)};
}

void SynthesizeOptions::declare(OptionTable& table) {
  table.add("model", model, "Model file of tulle count").required();
  table.add("output", output, "File for the events, with their number in each cell").required();
  table.add("events", events, "Number of events [as many as are estimated]");
  declare_seed(table, seed);
}

}  // namespace tulle
