// A completion that Python asked for: run without the interpreter's lock, and then what Python has of it.
#pragma once

#include "model.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/completion/request.hpp>

#include <memory>
#include <optional>

namespace tulle::python {

struct CompletionTask {
  CompletionOptions options;
  std::optional<CompletionRequest> request = {};
  CompletionOutcome outcome = {};

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

}  // namespace tulle::python
