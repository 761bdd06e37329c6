// The extension of the package `tulle`: the verbs of the command, on data in memory. docs/python.md
#include "data.hpp"
#include "model.hpp"
#include "task.hpp"
#include "terminal/interrupt.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>

#include <nanobind/stl/string.h>

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace tulle;
  using namespace tulle::python;
  const auto error = nb::exception<Error>(module, "Error", PyExc_ValueError);
  nb::exception<UsageError>(module, "UsageError", error.ptr());
  bind_data(module);
  bind_model(module);
  bind_complete(module);
  bind_topics(module);
  bind_classify(module);
  bind_couple(module);
  bind_audit(module);
  bind_budget(module);
  module.def("wait_for_abandoned", wait_for_abandoned);
  module.def("said_when_interrupted", cli::said_when_interrupted);
  module.attr("version") = TULLE_VERSION;
}
