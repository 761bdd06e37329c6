#include "binary/modes_json.hpp"
#include "binary/npz.hpp"
#include "binary/zip_writer.hpp"
#include "saved_kinds.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/network_file.hpp>

#include <cmath>

namespace tulle {
namespace {

std::string sample_prefix(std::size_t sample) {
  return fmt::format("sample{}_", sample + 1);
}

void add_layers(ZipWriter& zip, const std::string& prefix, const std::vector<NetworkLayer>& layers) {
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto rows = static_cast<std::uint64_t>(layers[l].weights.rows()),
               columns = static_cast<std::uint64_t>(layers[l].weights.cols());
    zip.add_array<float>(fmt::format("{}weights{}", prefix, l + 1), "f4", std::vector{rows, columns},
                         {layers[l].weights.data(), rows * columns});
    zip.add_array<float>(fmt::format("{}bias{}", prefix, l + 1), "f4", std::vector{columns},
                         {layers[l].bias.data(), columns});
  }
}

// Writes the names of classes like the labels of a mode, which may have any encoding.
void add_classes(const std::vector<std::string>& classes, Json& description) {
  const Json mode = modes_to_json({{.name = "class", .labels = classes}}).front();
  description["classes"] = mode.value("labels", Json::array());
  if (mode.contains("encoding")) description["encoding"] = mode["encoding"];
}

std::vector<std::string> classes_of(const std::string& name, const Json& description) {
  if (!description.contains("classes")) fail("{}: has no classes; write it again", name);
  Json mode = {{"name", "class"}, {"labels", description["classes"]}};
  if (description.contains("encoding")) mode["encoding"] = description["encoding"];
  return mode_from_json(name, mode).labels;
}

Json describe_network(const std::string& path, const NetworkFile& file) {
  Json guarantee = nullptr;
  if (!file.guarantee.empty()) {
    guarantee = try_parse_json(file.guarantee);
    if (guarantee.is_discarded()) fail("{}: the guarantee is no JSON", path);
  }
  const Network& model = file.model;
  Json description = {{"format", kNetworkFormat},
                      {"version", kJsonVersion},
                      {"method", file.method},
                      {"layers", model.layers.size()},
                      {"samples", file.samples.size()},
                      {"activation", name(model.activation)},
                      {"range", {model.low, model.high}},
                      {"image_features", {model.features.height, model.features.width}},
                      {"guarantee", std::move(guarantee)}};
  add_classes(model.classes, description);
  if (!model.bounds.empty()) description["bounds"] = model.bounds;
  for (const CategoricalColumn& category : file.categories)
    description["categories"].push_back({{"column", category.column}, {"labels", category.labels}});
  return description;
}

FloatMatrix read_floats(const ZipReader& zip, const std::string& name, std::size_t modes) {
  const NpzArray array = open_array(zip, name);
  const auto& shape = array.header.shape;
  if (shape.size() != modes || (modes > 1 && array.header.order == CellOrder::fortran))
    fail("{}: has another shape or order than a layer has; write it again", array.stream->name());
  const std::vector<double> numbers = read_numbers(array);
  for (double number : numbers)
    if (!std::isfinite(number))
      fail("{}: holds a number that is not finite; fit the model again", array.stream->name());
  FloatMatrix matrix(modes == 1 ? 1 : static_cast<Eigen::Index>(shape[0]),
                     static_cast<Eigen::Index>(shape[modes - 1]));
  std::ranges::transform(numbers, matrix.data(), [](double number) { return static_cast<float>(number); });
  return matrix;
}

std::vector<NetworkLayer> read_layers(const ZipReader& zip, const std::string& prefix, std::size_t count) {
  std::vector<NetworkLayer> layers;
  for (std::size_t l = 1; l <= count; ++l)
    layers.push_back({read_floats(zip, fmt::format("{}weights{}", prefix, l), 2),
                      FloatVector(read_floats(zip, fmt::format("{}bias{}", prefix, l), 1))});
  return layers;
}

// The network of a description, without layers and classes. Json throws if something is missing or of the
// wrong type.
Network frame_from(const Json& json) {
  return {.layers = {},
          .activation = activation_of(json.at("activation").get<std::string>()),
          .low = json.at("range").at(0),
          .high = json.at("range").at(1),
          .features = {json.at("image_features").at(0), json.at("image_features").at(1)},
          .classes = {},
          .bounds = json.value("bounds", std::vector<std::pair<double, double>>())};
}

void check_loaded(const std::string& path, const Network& model) {
  try {
    check(model);
  } catch (const Error& error) {
    fail("{}: {}; write it again", path, text_of(error));
  }
}

}  // namespace

void save(const std::string& path, const NetworkFile& file) {
  check(file.model);
  const std::string text = json_text(describe_network(path, file)) + '\n';
  Sink sink(path);
  ZipWriter zip(sink);
  add_layers(zip, "", file.model.layers);
  for (std::size_t i = 0; i < file.samples.size(); ++i)
    add_layers(zip, sample_prefix(i), file.samples[i].layers);
  zip.add(kJsonMember, [&](const ZipWriter::Take& take) { take(text); });
  zip.finish();
  sink.commit();
}

NetworkFile network_from(const ZipReader& zip, const std::string& name, const Json& json) {
  NetworkFile file;
  std::size_t layers = 0, samples = 0;
  try {
    file.model = frame_from(json);
    file.method = json.at("method").get<std::string>();
    layers = json.at("layers").get<std::size_t>();
    samples = json.at("samples").get<std::size_t>();
    for (const Json& category : json.value("categories", Json::array()))
      file.categories.push_back({category.at("column"), category.at("labels")});
    if (!json.at("guarantee").is_null()) file.guarantee = json_text(json.at("guarantee"));
  } catch (const std::exception& error) {
    fail("{}: {}; write it again", name, text_of(error));
  }
  file.model.classes = classes_of(name, json);
  const Network frame = file.model;
  file.model.layers = read_layers(zip, "", layers);
  check_loaded(zip.path(), file.model);
  for (std::size_t i = 0; i < samples; ++i) {
    file.samples.push_back(frame);
    file.samples.back().layers = read_layers(zip, sample_prefix(i), layers);
    check_loaded(zip.path(), file.samples.back());
  }
  return file;
}

}  // namespace tulle
