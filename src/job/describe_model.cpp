#include <tulle/job/describe_model.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>

namespace tulle {
namespace {

std::optional<std::string> rank_text(const Model& model) {
  if (std::holds_alternative<Counts>(model)) return std::nullopt;
  if (const auto* cp = std::get_if<Cp>(&model)) return fmt::format("{}", cp->rank());
  if (const auto* tubal = std::get_if<Tubal>(&model)) return fmt::format("{}", tubal->rank());
  if (const auto* topics = std::get_if<Topics>(&model)) return fmt::format("{}", topics->count());
  return std::get<Tucker>(model).core.shape().text();
}

bool has_biases(const Model& model) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.biases; }) return !kind.biases.empty();
        return false;
      },
      model);
}

// For a model with users' own rows: their number and their labels are the owner's.
void mark_users(Json& report) {
  OwnerFields owner;
  for (const char* field : {"shape", "modes"}) owner.add(report, field, Json(report[field]));
  owner.mark(report);
}

}  // namespace

Json describe_modes(const std::vector<Mode>& modes, std::span<const Index> sizes) {
  Json list = Json::array();
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    const Mode named = in_utf8(modes[mode]);
    const std::vector<std::string>& labels = named.labels;
    Json entry = {{"name", named.name}, {"size", sizes[mode]}, {"labelled", !labels.empty()}};
    if (!labels.empty())
      entry["first_labels"] = std::vector<std::string>(
          labels.begin(), labels.begin() + std::min<std::ptrdiff_t>(3, std::ssize(labels)));
    list.push_back(std::move(entry));
  }
  return list;
}

Json describe(const ModelFile& file) {
  Json report;
  report["content"] = "model";
  report["model"] = name(kind(file.model));
  report["method"] = file.method;
  report["shape"] = shape(file.model).text();
  if (const auto rank = rank_text(file.model)) {
    report["rank"] = *rank;
    report["biases"] = has_biases(file.model);
  }
  if (const auto* counts = std::get_if<Counts>(&file.model)) {
    const Estimated events = counts->sum(Block(static_cast<std::size_t>(counts->shape().order())));
    report["events"] = {{"mean", events.mean}, {"stddev", events.stddev}};
  }
  if (const auto* topics = std::get_if<Topics>(&file.model)) {
    report["weights"] = std::vector<double>(topics->weights.begin(), topics->weights.end());
    if (topics->mixture()) report["variance"] = topics->variance;
    if (!topics->stands_out.empty()) report["stands_out"] = topics->stands_out;
  }
  report["guarantee"] = file.guarantee.empty() ? Json() : parse_json(file.guarantee);
  if (file.measured) {
    report["releases"] = file.measured->releases.size();
    if (file.measured->positions) report["listed_cells"] = file.measured->positions->size();
  }
  report["modes"] = describe_modes(file.modes, shape(file.model).dimensions());
  if (is_for_owner(file)) mark_users(report);
  return report;
}

Json describe(const CoupledFile& file) {
  const Coupled& model = file.posterior.mean;
  Json report;
  report["content"] = "model";
  report["model"] = "coupled";
  report["method"] = file.inference;
  report["relations"] = Json::array();
  for (const Product& product : model.products) report["relations"].push_back(formula(model, product));
  report["samples"] = file.posterior.samples.size();
  report["guarantee"] = nullptr;
  std::vector<Index> sizes;
  for (const Mode& entity : file.entities) {
    const auto axis = std::ranges::find(model.axes, entity.name, &Axis::entity);
    sizes.push_back(axis == model.axes.end() ? 0 : axis->size);
  }
  report["modes"] = describe_modes(file.entities, sizes);
  return report;
}

Json describe(const NetworkFile& file) {
  Json report;
  report["content"] = "model";
  report["model"] = "network";
  report["method"] = file.method;
  Json layers = Json::array();
  for (const NetworkLayer& layer : file.model.layers)
    layers.push_back(fmt::format("{}x{}", layer.weights.rows(), layer.weights.cols()));
  report["layers"] = layers;
  report["activation"] = name(file.model.activation);
  report["parameters"] = file.model.parameters();
  report["samples"] = file.samples.size();
  report["classes"] = file.model.classes;
  report["guarantee"] = file.guarantee.empty() ? Json() : parse_json(file.guarantee);
  report["modes"] = Json::array();
  return report;
}

Json describe(const SavedModel& model) {
  return std::visit([](const auto& file) { return describe(file); }, model);
}

}  // namespace tulle
