#include "model.hpp"
#include "options.hpp"
#include "task.hpp"
#include "verbs.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/completion/request.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

struct CompletionTask {
  CompletionOptions options;
  std::optional<CompletionRequest> request;
  CompletionOutcome outcome;

  void run(const Watcher& watcher) {
    request.emplace(options);
    outcome = request->run(watcher);
  }

  std::shared_ptr<FittedModel> fitted() {
    auto model = std::make_shared<FittedModel>();
    model->published = published_model(request->job(), outcome, request->data());
    if (outcome.completion.with_user_rows)
      model->with_user_rows = model_with_user_rows(request->job(), outcome, request->data());
    request->payment().delivered();
    model->report = json_text(with_balance(report_of(request->job(), outcome, true), request->payment()));
    return model;
  }
};

std::shared_ptr<FittedModel> complete(const nb::dict& values, nb::object kept, nb::object progress,
                                      const std::shared_ptr<FittedModel>& start) {
  return with_options<CompletionOptions>(values, [&](const CompletionOptions& options) {
    const auto task = std::make_shared<CompletionTask>(CompletionTask{options, {}, {}});
    if (start) task->options.from_model = std::make_shared<const ModelFile>(start->published);
    run_task([task](const Watcher& watcher) { task->run(watcher); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

}  // namespace

void bind_complete(nb::module_& module) {
  module.def("complete", complete, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none(),
             nb::arg("start").none() = nb::none());
  module.def("complete_options", described_options<CompletionOptions>);
}

}  // namespace tulle::python
