// What a job would release and cost, as JSON.
#pragma once

#include "options.hpp"
#include "task.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/run_plan.hpp>

#include <memory>
#include <utility>

namespace tulle::python {

// `request(options)` makes the request of a job.
template <class Options, class MakeRequest>
std::string planned(const nanobind::dict& values, nanobind::object kept, const MakeRequest& make_request) {
  return with_options<Options>(values, [&](const Options& options) {
    const auto text = std::make_shared<std::string>();
    run_task([=](const Watcher&) { *text = json_text(to_json(make_request(options).plan())); },
             std::move(kept), nanobind::none());
    return *text;
  });
}

}  // namespace tulle::python
