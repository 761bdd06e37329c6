// The extension of the package `tulle`: its jobs, on data in memory. docs/python.md
#include "data.hpp"
#include "model.hpp"
#include "options.hpp"
#include "task.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/utf8.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;

namespace {

// Messages may quote texts of files, which need not be UTF-8, as texts of Python are. Outside of a verb there
// is no option to advise.
template <class Thrown>
void declare_error(nb::module_& module, const char* name, nb::handle base) {
  const nb::handle kind = nb::exception<Thrown>(module, name, base);
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* type) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Thrown& error) {
          const tulle::Spelling spelling{.write = tulle::python::keyword_of,
                                         .has = [](std::string_view) { return false; }};
          PyErr_SetString(static_cast<PyObject*>(type),
                          tulle::in_utf8(spelled(error.text(), spelling)).c_str());
        }
      },
      kind.ptr());
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace tulle;
  using namespace tulle::python;
  declare_error<Error>(module, "Error", PyExc_ValueError);
  declare_error<UsageError>(module, "UsageError", module.attr("Error"));
  bind_data(module);
  bind_model(module);
  bind_complete(module);
  bind_refit(module);
  bind_topics(module);
  bind_counts(module);
  bind_classify(module);
  bind_couple(module);
  bind_audit(module);
  bind_budget(module);
  bind_command(module);
  module.def("wait_for_abandoned", wait_for_abandoned);
  module.def("said_when_interrupted", said_when_interrupted);
  module.attr("version") = TULLE_VERSION;
}
