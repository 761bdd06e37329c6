#include "model.hpp"
#include "options.hpp"
#include "plan.hpp"
#include "task.hpp"
#include "verbs.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/topics/request.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

struct TopicsTask {
  TopicsOptions options;
  std::optional<TopicsRequest> request;
  TopicsFound found;

  void run(const Watcher& watcher) {
    request.emplace(options);
    found = request->run(watcher);
  }

  std::shared_ptr<FittedModel> fitted() {
    auto model = std::make_shared<FittedModel>();
    model->published = request->model(found);
    request->payment().delivered();
    model->report = json_text(with_balance(report_of(request->job(), found), request->payment()));
    return model;
  }
};

std::shared_ptr<FittedModel> find_topics(const nb::dict& values, nb::object kept, nb::object progress) {
  return with_options<TopicsOptions>(values, [&](const TopicsOptions& options) {
    const auto task = std::make_shared<TopicsTask>(TopicsTask{options, {}, {}});
    run_task([task](const Watcher& watcher) { task->run(watcher); }, std::move(kept), std::move(progress));
    return task->fitted();
  });
}

}  // namespace

void bind_topics(nb::module_& module) {
  module.def("topics", find_topics, nb::arg("values"), nb::arg("kept"), nb::arg("progress").none());
  module.def(
      "plan_topics",
      [](const nb::dict& values, nb::object kept) {
        return planned<TopicsOptions>(values, std::move(kept),
                                      [](const TopicsOptions& asked) { return TopicsRequest(asked); });
      },
      nb::arg("values"), nb::arg("kept"));
  module.def("topics_options", described_options<TopicsOptions>);
}

}  // namespace tulle::python
