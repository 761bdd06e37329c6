#include "completion_task.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "task.hpp"
#include "verbs.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

std::shared_ptr<FittedModel> complete(const nb::dict& values, nb::object kept, nb::object progress,
                                      const std::shared_ptr<FittedModel>& start) {
  return with_options<CompletionOptions>(values, [&](const CompletionOptions& options) {
    const auto task = std::make_shared<CompletionTask>(CompletionTask{.options = options});
    if (start) task->options.from_model = std::make_shared<const ModelFile>(start->published);
    run_task([task](const Watcher& watcher) { task->run(watcher); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

}  // namespace

void bind_complete(nb::module_& module) {
  module.def("complete", complete, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none(),
             nb::arg("start").none() = nb::none());
  module.def(
      "plan_complete",
      [](const nb::dict& values, nb::object kept, const std::shared_ptr<FittedModel>& start) {
        return planned<CompletionOptions>(values, std::move(kept), [start](CompletionOptions asked) {
          if (start) asked.from_model = std::make_shared<const ModelFile>(start->published);
          return CompletionRequest(asked);
        });
      },
      nb::arg("values"), nb::arg("kept"), nb::arg("start").none() = nb::none());
  module.def("complete_options", described_options<CompletionOptions>);
}

}  // namespace tulle::python
