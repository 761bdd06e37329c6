#include "topics.hpp"

#include "charging.hpp"
#include "model.hpp"
#include "task.hpp"
#include "verbs.hpp"
#include "words.hpp"

#include <tulle/base/json.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

struct TopicsTask {
  cli::TopicsOptions options;
  std::optional<cli::RequestedTopics> request;
  TopicsFound found;

  void run() {
    request.emplace(options);
    found = request->run();
  }

  std::shared_ptr<FittedModel> fitted() {
    auto model = std::make_shared<FittedModel>();
    model->published = request->model(found);
    request->payment().delivered();
    model->report = json_text(cli::with_balance(report_of(request->job(), found), request->payment()));
    return model;
  }
};

std::shared_ptr<FittedModel> find_topics(const Words& words, nb::object kept, nb::object progress) {
  return with_options<cli::TopicsOptions>("topics", words, [&](const cli::TopicsOptions& options) {
    const auto task = std::make_shared<TopicsTask>(TopicsTask{options, {}, {}});
    run_task([task](const Observer&) { task->run(); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

}  // namespace

void bind_topics(nb::module_& module) {
  module.def("topics", find_topics, nb::arg("words"), nb::arg("kept"), nb::arg("progress").none());
  module.def("topics_options", described<cli::TopicsOptions>);
}

}  // namespace tulle::python
