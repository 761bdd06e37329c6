#include "model.hpp"
#include "options.hpp"
#include "task.hpp"
#include "verbs.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/refit/request.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

// From a model file, or from a model in its place.
std::shared_ptr<FittedModel> refitted(const nb::dict& values, nb::object kept, nb::object progress,
                                      const std::shared_ptr<FittedModel>& start) {
  return with_options<RefitOptions>(values, [&](RefitOptions options) {
    if (start) options.from_model = std::make_shared<const ModelFile>(start->published);
    const auto model = std::make_shared<FittedModel>();
    run_task(
        [options, model](const Watcher& watcher) {
          const RefitOutcome outcome = RefitRequest(options).run(watcher);
          model->report = json_text(report_of(outcome));
          model->published = outcome.file;
        },
        std::move(kept), std::move(progress));
    return model;
  });
}

}  // namespace

void bind_refit(nb::module_& module) {
  module.def("refit", refitted, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none(),
             nb::arg("start").none() = nb::none());
  module.def("refit_options", described_options<RefitOptions>);
}

}  // namespace tulle::python
