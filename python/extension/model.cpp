#include "model.hpp"

#include "task.hpp"
#include "views.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/describe_model.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/job/recommend.hpp>
#include <tulle/job/topics/new_documents.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

using Self = std::shared_ptr<FittedModel>;

const ModelFile& chosen(const FittedModel& model, bool user_rows) {
  if (!user_rows) return model.published;
  if (!model.with_user_rows)
    fail(
        "there are no rows of users' own: a fit under joint privacy has them, while pickles, copies and "
        "files "
        "hold what may be published");
  return *model.with_user_rows;
}

nb::list modes_of(const Self& self, bool user_rows) {
  nb::list modes;
  for (const Mode& mode : in_utf8(chosen(*self, user_rows).modes)) modes.append(described(mode));
  return modes;
}

nb::list views(const std::vector<Matrix>& matrices, nb::handle owner) {
  nb::list all;
  for (const Matrix& matrix : matrices) all.append(view(matrix, owner));
  return all;
}

void add_biases(nb::dict& parameters, const Biases& biases, nb::handle owner) {
  nb::list offsets;
  for (const Vector& each : biases.offsets) offsets.append(view(each, owner));
  parameters["global"] = biases.global;
  parameters["offsets"] = offsets;
}

void add_parameters(nb::dict& parameters, const Cp& model, nb::handle owner) {
  parameters["weights"] = view(model.weights, owner);
  parameters["factors"] = views(model.factors, owner);
  add_biases(parameters, model.biases, owner);
}

void add_parameters(nb::dict& parameters, const Tucker& model, nb::handle owner) {
  parameters["core"] = view(model.core, owner);
  parameters["factors"] = views(model.factors, owner);
  add_biases(parameters, model.biases, owner);
}

void add_parameters(nb::dict& parameters, const Tubal& model, nb::handle owner) {
  parameters["u"] = view(model.u, owner);
  parameters["s"] = view(model.s, owner);
  parameters["v"] = view(model.v, owner);
  add_biases(parameters, model.biases, owner);
}

// Of every topic whether it stands out of the noise; None where that is not known.
nb::object marks_of(const Topics& model) {
  return model.stands_out.empty() ? nb::none() : nb::cast(model.stands_out);
}

void add_parameters(nb::dict& parameters, const Topics& model, nb::handle owner) {
  parameters["topics"] = view(model.topics, owner);
  parameters["weights"] = view(model.weights, owner);
  parameters["variance"] = model.variance;
  parameters["stands_out"] = marks_of(model);
}

// A sparse form has no array of all cells: it is asked for sums and for single cells.
void add_parameters(nb::dict& parameters, const Counts& model, nb::handle owner) {
  if (model.sparse) return;
  parameters["counts"] = view(model.cells, owner);
}

// Views of the memory of the model, by name.
nb::dict parameters(const Self& self) {
  const nb::object owner = nb::cast(self);
  nb::dict all;
  std::visit([&](const auto& model) { add_parameters(all, model, owner); }, self->published.model);
  return all;
}

Clamping clamping(bool clamped) {
  return clamped ? Clamping::to_range : Clamping::none;
}

// Of the cells that are in memory under a path, by what is kept.
auto predict_listed(const Self& self, const std::string& path, nb::object kept, bool clamped,
                    bool user_rows) {
  const auto values = std::make_shared<std::vector<double>>();
  run_task(
      [=](const Watcher&) {
        const ModelFile& file = chosen(*self, user_rows);
        const CellList wanted = read_cells(
            path, {.shape = shape(file.model), .may_be_empty = true, .known = in_utf8(file.modes)});
        *values = predict_cells(file, wanted.cells, clamping(clamped));
      },
      std::move(kept), nb::none());
  const std::size_t count = values->size();
  return owned(std::move(*values), {count});
}

// Of documents that are in memory or in a file under a path: the posterior probabilities of their topics, and
// the perplexity of their words.
nb::tuple topics_of(const Self& self, const std::string& path, nb::object kept) {
  const auto posterior = std::make_shared<TopicPosterior>();
  run_task([=](const Watcher&) { *posterior = topics_of_documents(self->published, path, {}); },
           std::move(kept), nb::none());
  const Matrix& shares = posterior->shares;
  return nb::make_tuple(
      owned(std::vector<double>(shares.data(), shares.data() + shares.size()),
            {static_cast<std::size_t>(shares.rows()), static_cast<std::size_t>(shares.cols())}),
      posterior->perplexity());
}

auto predict_every(const Self& self, bool clamped) {
  const auto tensor = std::make_shared<std::optional<DenseTensor>>();
  run_task([=](const Watcher&) { *tensor = predict_all(self->published, clamping(clamped)); }, nb::none(),
           nb::none());
  const auto sizes = (*tensor)->shape().dimensions();
  return owned(std::vector<double>((*tensor)->values().begin(), (*tensor)->values().end()),
               {sizes.begin(), sizes.end()});
}

// The best items of a user, by her label or her number from 1, as names and predicted values. `path`: cells
// of what users have, or "".
auto recommend_to(const Self& self, const std::string& user, const std::string& path, nb::object kept,
                  int item_mode, std::size_t top, const std::string& by, bool user_rows) {
  const auto best = std::make_shared<std::vector<std::pair<std::string, double>>>();
  run_task(
      [=](const Watcher&) {
        const ModelFile& file = chosen(*self, user_rows);
        if (file.modes.size() != 2)
          fail("recommend is for a model of users and items; this one has {} modes", file.modes.size());
        const int users = 1 - item_mode;
        const Mode& mode = file.modes[static_cast<std::size_t>(users)];
        const std::optional<Index> place =
            mode.any ? Index{0} : find_position(in_utf8(file.modes)[static_cast<std::size_t>(users)], user);
        if (!place || *place >= shape(file.model)[users]) fail("'{}' is not a user of this model", user);
        std::optional<CellList> listed;
        if (!path.empty()) listed = read_cells(path, {.known = in_utf8(file.modes), .grow = true});
        const RecommendBy ranking =
            recommend_by(file, by, "by", users, item_mode, listed ? &listed->cells : nullptr);
        const std::vector<Index> seen =
            listed ? items_of(*listed, users, item_mode, user) : std::vector<Index>{};
        std::vector<Index> cell(2);
        cell[static_cast<std::size_t>(users)] = *place;
        const Mode items = in_utf8(file.modes[static_cast<std::size_t>(item_mode)]);
        for (const auto& [position, value] : recommend(file, cell, item_mode, top, seen, ranking))
          best->emplace_back(position_name(items, position), value);
      },
      std::move(kept), nb::none());
  return *best;
}

template <class Kind, class File>
nb::object restored(File& file) {
  const auto fitted = std::make_shared<Kind>();
  fitted->report = json_text(describe(file));
  fitted->published = std::move(file);
  return nb::cast(fitted);
}
nb::object in_python(ModelFile& file) {
  return restored<FittedModel>(file);
}
nb::object in_python(CoupledFile& file) {
  return restored<FittedCoupled>(file);
}
nb::object in_python(NetworkFile& file) {
  return restored<FittedNetwork>(file);
}

nb::object load_model(const std::string& path) {
  SavedModel model = load(path);
  return std::visit([](auto& file) { return in_python(file); }, model);
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_kind<FittedModel>(module, "Model",
                         "A model, with what may be published of it and what is the owner's.")
      .def(
          "save",
          [](const FittedModel& model, const std::string& path, bool user_rows) {
            save(path, chosen(model, user_rows));
          },
          nb::arg("path"), nb::arg("user_rows") = false);
  module.def("modes", modes_of, nb::arg("model"), nb::arg("user_rows") = false);
  module.def("parameters", parameters, nb::arg("model"));
  module.def("predict", predict_listed, nb::arg("model"), nb::arg("path"), nb::arg("kept"),
             nb::arg("clamped") = true, nb::arg("user_rows") = false);
  module.def("recommend", recommend_to, nb::arg("model"), nb::arg("user"), nb::arg("path"), nb::arg("kept"),
             nb::arg("item_mode"), nb::arg("top"), nb::arg("by"), nb::arg("user_rows"));
  module.def("predict_all", predict_every, nb::arg("model"), nb::arg("clamped") = true);
  module.def("topics_of", topics_of, nb::arg("model"), nb::arg("path"), nb::arg("kept"));
  module.def("load", load_model, nb::arg("path"));
}

}  // namespace tulle::python
