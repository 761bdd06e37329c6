#include "complete.hpp"

#include "charging.hpp"
#include "model.hpp"
#include "task.hpp"
#include "verbs.hpp"
#include "words.hpp"

#include <tulle/base/json.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

struct CompletionTask {
  cli::CompleteOptions options;
  std::optional<cli::RequestedCompletion> request;
  CompletionOutcome outcome;

  void run(const Observer& observer) {
    request.emplace(options);
    outcome = request->run(observer);
  }

  std::shared_ptr<FittedModel> fitted() {
    auto model = std::make_shared<FittedModel>();
    model->published = published_model(request->job(), outcome, request->data());
    if (outcome.completion.with_user_rows)
      model->with_user_rows = model_with_user_rows(request->job(), outcome, request->data());
    request->payment().delivered();
    model->report =
        json_text(cli::with_balance(report_of(request->job(), outcome, true), request->payment()));
    return model;
  }
};

std::shared_ptr<FittedModel> complete(const Words& words, nb::object kept, nb::object progress) {
  return with_options<cli::CompleteOptions>("complete", words, [&](const cli::CompleteOptions& options) {
    const auto task = std::make_shared<CompletionTask>(CompletionTask{options, {}, {}});
    run_task([task](const Observer& observer) { task->run(observer); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

}  // namespace

void bind_complete(nb::module_& module) {
  module.def("complete", complete, nb::arg("words"), nb::arg("kept"), nb::arg("progress").none());
  module.def("complete_options", described<cli::CompleteOptions>);
}

}  // namespace tulle::python
