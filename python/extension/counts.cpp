#include "model.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "task.hpp"
#include "verbs.hpp"
#include "views.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/counts/query.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/counts/synthesize.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

using Self = std::shared_ptr<FittedModel>;

struct CountTask {
  CountOptions options;
  std::optional<CountsRequest> request;
  std::optional<CountsFound> found;

  void run(const Watcher& watcher) {
    request.emplace(options);
    found = request->run(watcher);
  }

  Self fitted() {
    auto model = std::make_shared<FittedModel>();
    model->published = request->model(*found);
    request->payment().delivered();
    model->report = json_text(with_balance(report_of(request->job(), *found), request->payment()));
    return model;
  }
};

Self count(const nb::dict& values, nb::object kept, nb::object progress) {
  return with_options<CountOptions>(values, [&](const CountOptions& options) {
    const auto task = std::make_shared<CountTask>(CountTask{options, {}, {}});
    run_task([task](const Watcher& watcher) { task->run(watcher); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

// Not the model itself, which may be large: it lives as long as its owner.
std::shared_ptr<const ModelFile> published(const Self& self) {
  return {self, &self->published};
}

// What the command prints as JSON.
std::string ask(const Self& self, const nb::dict& values) {
  return with_options<QueryOptions>(values, [&](QueryOptions options) {
    options.from_model = published(self);
    const auto text = std::make_shared<std::string>();
    run_task([options, text](const Watcher&) { *text = json_text(to_json(query(options))); }, nb::none(),
             nb::none());
    return *text;
  });
}

void write_margins_of(const Self& self, const nb::dict& values) {
  with_options<QueryOptions>(values, [&](QueryOptions options) {
    options.from_model = published(self);
    run_task([options](const Watcher&) { save_margins(options); }, nb::none(), nb::none());
    return nb::none();
  });
}

// Positions from 0 of every mode, and the number of events there.
nb::tuple draw(const Self& self, const nb::dict& values) {
  return with_options<SynthesizeOptions>(values, [&](SynthesizeOptions options) {
    options.from_model = published(self);
    const auto drawn = std::make_shared<std::optional<Dataset>>();
    run_task([options, drawn](const Watcher&) { *drawn = synthesize(options); }, nb::none(), nb::none());
    const auto& events = std::get<SparseTensor>((*drawn)->tensor);
    nb::list positions;
    for (int mode = 0; mode < events.order(); ++mode)
      positions.append(
          owned(std::vector<Index>(events.column(mode).begin(), events.column(mode).end()), {events.size()}));
    return nb::make_tuple(positions, owned(std::vector<float>(events.values().begin(), events.values().end()),
                                           {events.size()}));
  });
}

}  // namespace

void bind_counts(nb::module_& module) {
  module.def("count", count, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none());
  module.def(
      "plan_count",
      [](const nb::dict& values, nb::object kept) {
        return planned<CountOptions>(values, std::move(kept),
                                     [](const CountOptions& asked) { return CountsRequest(asked); });
      },
      nb::arg("values"), nb::arg("kept"));
  module.def("count_options", described_options<CountOptions>);
  module.def("query", ask, nb::arg("model"), nb::arg("values"));
  module.def("save_margins", write_margins_of, nb::arg("model"), nb::arg("values"));
  module.def("synthesize", draw, nb::arg("model"), nb::arg("values"));
}

}  // namespace tulle::python
