#include "binary/modes_json.hpp"
#include "binary/npz.hpp"
#include "binary/zip_writer.hpp"
#include "saved_kinds.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/coupled_file.hpp>

namespace tulle {
namespace {

std::string shape_array(const Factor& factor) {
  return fmt::format("{}_shape", factor.name);
}

std::string samples_array(const Factor& factor) {
  return fmt::format("{}_samples", factor.name);
}

std::vector<std::uint64_t> shape_of(const Coupled& model, const Factor& factor) {
  std::vector<std::uint64_t> shape;
  for (int axis : factor.axes) shape.push_back(model.axes[axis].size);
  return shape;
}

Json describe_coupled(const CoupledFile& file) {
  const Coupled& model = file.posterior.mean;
  Json axes = Json::array(), factors = Json::array(), products = Json::array();
  for (const Axis& axis : model.axes)
    axes.push_back({{"letter", axis.letter}, {"entity", axis.entity}, {"size", axis.size}});
  for (const Factor& factor : model.factors)
    factors.push_back({{"name", factor.name}, {"axes", factor.axes}});
  for (const Product& product : model.products)
    products.push_back({{"name", product.name},
                        {"formula", formula(model, product)},
                        {"axes", product.axes},
                        {"factors", product.factors},
                        {"dispersion", product.dispersion}});
  for (std::size_t v = 0; v < model.products.size(); ++v)
    if (model.products[v].log_odds) products[v]["log_odds"] = true;
  return {{"format", kCoupledFormat},
          {"version", kJsonVersion},
          {"inference", file.inference},
          {"samples", file.posterior.samples.size()},
          {"axes", axes},
          {"factors", factors},
          {"relations", products},
          {"entities", modes_to_json(file.entities)}};
}

// The structure, without values. Json throws if something is missing or of the wrong type.
Coupled structure_from(const Json& json) {
  Coupled model;
  for (const Json& axis : json.at("axes"))
    model.axes.push_back({axis.at("letter"), axis.at("entity"), axis.at("size").get<Index>()});
  for (const Json& factor : json.at("factors"))
    model.factors.push_back({factor.at("name"), factor.at("axes").get<Axes>(), {}});
  for (const Json& product : json.at("relations"))
    model.products.push_back({product.at("name"), product.at("axes").get<Axes>(),
                              product.at("factors").get<std::vector<int>>(),
                              product.at("dispersion").get<double>(), product.value("log_odds", false)});
  return model;
}

std::vector<double> read_values(const ZipReader& zip, const std::string& name,
                                const std::vector<std::uint64_t>& shape) {
  const NpzArray array = open_array(zip, name);
  if (!std::ranges::equal(array.header.shape, shape) ||
      (array.header.order == CellOrder::fortran && shape.size() > 1))
    fail("{}: the array has another shape or order than the description says; write it again",
         array.stream->name());
  return read_numbers(array);
}

// The samples of a factor, concatenated.
std::vector<double> samples_of(const CoupledPosterior& posterior, std::size_t factor) {
  std::vector<double> all;
  for (const Coupled& sample : posterior.samples)
    all.insert(all.end(), sample.factors[factor].values.begin(), sample.factors[factor].values.end());
  return all;
}

void read_samples(const ZipReader& zip, std::size_t count, CoupledPosterior& posterior) {
  const Coupled& mean = posterior.mean;
  for (std::size_t d = 0; d < mean.factors.size() && count > 0; ++d) {
    std::vector<std::uint64_t> shape = shape_of(mean, mean.factors[d]);
    shape.insert(shape.begin(), count);
    const std::vector<double> all = read_values(zip, samples_array(mean.factors[d]), shape);
    posterior.samples.resize(count, mean);  // only after an array of this many samples was read
    const std::size_t each = mean.factors[d].values.size();
    for (std::size_t s = 0; s < count; ++s)
      posterior.samples[s].factors[d].values.assign(&all[s * each], &all[s * each] + each);
  }
  for (const Coupled& sample : posterior.samples) check(sample);
}

}  // namespace

void save(const std::string& path, const CoupledFile& file) {
  const Coupled& model = file.posterior.mean;
  check(model);
  const std::string text = json_text(describe_coupled(file)) + '\n';
  Sink sink(path);
  ZipWriter zip(sink);
  for (std::size_t d = 0; d < model.factors.size(); ++d) {
    const Factor& factor = model.factors[d];
    std::vector<std::uint64_t> shape = shape_of(model, factor);
    zip.add_array<double>(factor.name, "f8", shape, factor.values);
    if (!file.posterior.shapes.empty())
      zip.add_array<double>(shape_array(factor), "f8", shape, file.posterior.shapes[d]);
    if (file.posterior.samples.empty()) continue;
    shape.insert(shape.begin(), file.posterior.samples.size());
    zip.add_array<double>(samples_array(factor), "f8", shape, samples_of(file.posterior, d));
  }
  zip.add(kJsonMember, [&](const ZipWriter::Take& take) { take(text); });
  zip.finish();
  sink.commit();
}

CoupledFile coupled_from(const ZipReader& zip, const std::string& name, const Json& json) {
  CoupledFile file;
  for (const Json& mode : json.value("entities", Json::array()))
    file.entities.push_back(mode_from_json(name, mode));
  std::size_t samples = 0;
  try {
    file.posterior.mean = structure_from(json);
    file.inference = json.at("inference").get<std::string>();
    samples = json.at("samples").get<std::size_t>();
    check(file.posterior.mean, false);
    for (const Axis& axis : file.posterior.mean.axes)
      if (!axis.latent() && std::ranges::find(file.entities, axis.entity, &Mode::name) == file.entities.end())
        fail("entity {} is not described", axis.entity);
  } catch (const std::exception& error) {
    fail("{}: {}; write it again", name, text_of(error));
  }
  Coupled& model = file.posterior.mean;
  for (Factor& factor : model.factors) factor.values = read_values(zip, factor.name, shape_of(model, factor));
  for (const Factor& factor : model.factors)
    if (has_array(zip, shape_array(factor)))
      file.posterior.shapes.push_back(read_values(zip, shape_array(factor), shape_of(model, factor)));
  check(model);
  read_samples(zip, samples, file.posterior);
  return file;
}

}  // namespace tulle
