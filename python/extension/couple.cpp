#include "completion_task.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "task.hpp"
#include "verbs.hpp"
#include "views.hpp"

#include <tulle/base/json.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/coupled/request.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

// Of a study without privacy, or of a private one.
struct CouplingTask {
  StudyOptions options;
  std::shared_ptr<FittedCoupled> coupled = {};
  CompletionTask completion = {};

  void run(const Watcher& watcher) {
    auto request = coupled_request(options);
    if (auto* asked = std::get_if<CompletionOptions>(&request)) {
      completion.options = std::move(*asked);
      return completion.run(watcher);
    }
    CoupleJob& job = std::get<CoupleJob>(request);
    job.options.observer = watcher.observer;
    const CoupleOutcome outcome = tulle::run(job);
    coupled = std::make_shared<FittedCoupled>();
    coupled->published = coupled_file(job, outcome);
    coupled->report = json_text(report_of(job, outcome));
  }
};

nb::object couple(const nb::dict& values, nb::object kept, nb::object progress) {
  return with_options<StudyOptions>(values, [&](const StudyOptions& options) {
    const auto task = std::make_shared<CouplingTask>(CouplingTask{.options = options});
    run_task([task](const Watcher& watcher) { task->run(watcher); }, std::move(kept), std::move(progress));
    return task->coupled ? nb::cast(task->coupled) : nb::cast(task->completion.fitted());
  });
}

// Arrays by the names of the factors, as views of the memory of the model.
nb::dict factors(const std::shared_ptr<FittedCoupled>& coupled) {
  const nb::object owner = nb::cast(coupled);
  const Coupled& model = coupled->model();
  nb::dict all;
  for (const Factor& factor : model.factors) {
    std::vector<std::size_t> shape;
    for (int axis : factor.axes) shape.push_back(model.axes[axis].size);
    all[factor.name.c_str()] = View<double>(factor.values.data(), shape.size(), shape.data(), owner);
  }
  return all;
}

nb::list coupled_modes(const std::shared_ptr<FittedCoupled>& coupled, const std::string& relation) {
  nb::list modes;
  for (const Mode& mode : coupled->modes(coupled->product_of(relation))) modes.append(described(mode));
  return modes;
}

// What `find` gives for the cells in a file, or in memory.
using Find = std::function<std::vector<double>(const CoupledPosterior&, int product, const Cells&)>;

std::vector<double> of_cells(const std::shared_ptr<FittedCoupled>& coupled, const std::string& path,
                             nb::object kept, const std::string& relation, const Find& find) {
  const auto values = std::make_shared<std::vector<double>>();
  run_task(
      [=](const Watcher&) {
        const int product = coupled->product_of(relation);
        const CellList wanted = read_cells(path, {.shape = coupled->model().shape(product),
                                                  .may_be_empty = true,
                                                  .known = coupled->modes(product)});
        *values = find(coupled->published.posterior, product, wanted.cells);
      },
      std::move(kept), nb::none());
  return std::move(*values);
}

auto predict_relation(const std::shared_ptr<FittedCoupled>& coupled, const std::string& path, nb::object kept,
                      const std::string& relation) {
  std::vector<double> values = of_cells(coupled, path, std::move(kept), relation,
                                        [](const CoupledPosterior& posterior, int product,
                                           const Cells& cells) { return posterior.predict(product, cells); });
  const std::size_t count = values.size();
  return owned(std::move(values), {count});
}

// A row of low and high for each cell.
auto predict_intervals(const std::shared_ptr<FittedCoupled>& coupled, const std::string& path,
                       nb::object kept, const std::string& relation, double probability) {
  std::vector<double> bounds = of_cells(
      coupled, path, std::move(kept), relation,
      [=](const CoupledPosterior& posterior, int product, const Cells& cells) {
        std::vector<double> both;
        for (const Interval& interval : posterior.intervals(product, cells, probability, kIntervalDraws, 0))
          both.insert(both.end(), {interval.low, interval.high});
        return both;
      });
  const std::size_t count = bounds.size() / 2;
  return owned(std::move(bounds), {count, 2});
}

}  // namespace

void bind_couple(nb::module_& module) {
  bind_kind<FittedCoupled>(module, "Coupled", "A coupled model.")
      .def("save",
           [](const FittedCoupled& coupled, const std::string& path) { save(path, coupled.published); });
  module.def("couple", couple, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none());
  module.def(
      "plan_couple",
      [](const nb::dict& values, nb::object kept) {
        return planned<StudyOptions>(values, std::move(kept), [](const StudyOptions& asked) {
          auto request = coupled_request(asked);
          if (auto* completion = std::get_if<CompletionOptions>(&request))
            return CompletionRequest(*completion);
          fail_usage("a plan is of a private study; this one states no private = [..]");
        });
      },
      nb::arg("values"), nb::arg("kept"));
  module.def("couple_options", described_options<StudyOptions>);
  module.def("factors", factors, nb::arg("coupled"));
  module.def("coupled_modes", coupled_modes, nb::arg("coupled"), nb::arg("relation"));
  module.def("predict_relation", predict_relation, nb::arg("coupled"), nb::arg("path"), nb::arg("kept"),
             nb::arg("relation"));
  module.def("predict_intervals", predict_intervals, nb::arg("coupled"), nb::arg("path"), nb::arg("kept"),
             nb::arg("relation"), nb::arg("probability"));
}

}  // namespace tulle::python
