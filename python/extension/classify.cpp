#include "data.hpp"
#include "model.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "task.hpp"
#include "verbs.hpp"
#include "views.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/classification/request.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

struct ClassifierTask {
  ClassifierOptions options;
  std::optional<ClassifierRequest> request;
  ClassifierMade made;

  void run(const Watcher& watcher) {
    request.emplace(options);
    made = request->run(watcher);
  }

  std::shared_ptr<FittedNetwork> fitted() {
    auto network = std::make_shared<FittedNetwork>();
    network->published = request->model(made);
    request->payment().delivered();
    network->report = json_text(with_balance(report_of(request->job(), made), request->payment()));
    return network;
  }
};

std::shared_ptr<FittedNetwork> train(const nb::dict& values, nb::object kept, nb::object progress) {
  return with_options<ClassifierOptions>(values, [&](const ClassifierOptions& options) {
    const auto task = std::make_shared<ClassifierTask>(ClassifierTask{options, {}, {}});
    run_task([task](const Watcher& watcher) { task->run(watcher); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

using Rows = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

auto probabilities(const std::shared_ptr<FittedNetwork>& network, const Rows& rows) {
  const auto found = std::make_shared<FloatMatrix>();
  const auto count = static_cast<Eigen::Index>(rows.shape(0)),
             values = static_cast<Eigen::Index>(rows.shape(1));
  if (values != network->published.model.inputs())
    fail("X has {} features, but Classifier is expecting {} features as input", values,
         network->published.model.inputs());
  run_task(
      [=, data = rows.data()](const Watcher&) {
        const Eigen::Map<const FloatMatrix> examples(data, count, values);
        *found = mean_probabilities(network->published.model, network->published.samples, examples);
      },
      nb::cast(rows), nb::none());
  const std::vector<std::size_t> shape{static_cast<std::size_t>(found->rows()),
                                       static_cast<std::size_t>(found->cols())};
  return owned(std::vector<float>(found->data(), found->data() + found->size()), shape);
}

// Weights and offsets of every layer, as views of the memory of the model.
nb::list layers(const std::shared_ptr<FittedNetwork>& network) {
  const nb::object owner = nb::cast(network);
  nb::list all;
  for (const NetworkLayer& layer : network->published.model.layers)
    all.append(nb::make_tuple(
        View<float>(
            layer.weights.data(),
            {static_cast<std::size_t>(layer.weights.rows()), static_cast<std::size_t>(layer.weights.cols())},
            owner),
        View<float>(layer.bias.data(), {static_cast<std::size_t>(layer.bias.size())}, owner)));
  return all;
}

// The extension numbers labels; how they are called, the package knows.
void name_classes(FittedNetwork& network, std::vector<std::string> names) {
  for (Network& sample : network.published.samples) sample.classes = names;
  network.published.model.classes = std::move(names);
}

}  // namespace

void bind_classify(nb::module_& module) {
  bind_kind<FittedNetwork>(module, "Network", "A classifier.")
      .def_prop_ro("inputs", [](const FittedNetwork& network) { return network.published.model.inputs(); })
      .def_prop_rw(
          "classes",
          [](const FittedNetwork& network) {
            return in_utf8(Mode{.name = "class", .labels = network.published.model.classes}).labels;
          },
          name_classes)
      .def("save",
           [](const FittedNetwork& network, const std::string& path) { save(path, network.published); });
  module.def("classify", train, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none());
  module.def(
      "plan_classify",
      [](const nb::dict& values, nb::object kept) {
        return planned<ClassifierOptions>(
            values, std::move(kept), [](const ClassifierOptions& asked) { return ClassifierRequest(asked); });
      },
      nb::arg("values"), nb::arg("kept"));
  module.def("classify_options", described_options<ClassifierOptions>);
  module.def("probabilities", probabilities, nb::arg("network"), nb::arg("rows").noconvert());
  module.def("layers", layers, nb::arg("network"));
}

}  // namespace tulle::python
