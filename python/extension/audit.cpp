#include "audit.hpp"

#include "task.hpp"
#include "verbs.hpp"
#include "words.hpp"

#include <tulle/audit/bytes.hpp>
#include <tulle/base/json.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

std::string audit_methods(const Words& words, nb::object progress) {
  return with_options<cli::AuditOptions>("audit", words, [&](const cli::AuditOptions& options) {
    const auto report = std::make_shared<std::string>();
    run_task([report, options](
                 const Observer&) { *report = json_text(cli::report_of(options, cli::audit(options))); },
             nb::none(), std::move(progress));
    return *report;
  });
}

// The byte audit of what Python returns: `run(side)` fits on one of two neighbouring data sets and answers
// with all that it was given, as bytes by name. Releases of the first fit are replayed to the second.
nb::tuple audit_bytes_returned(const nb::callable& run) {
  const ByteAudit found = audit_bytes([&](int side) {
    CommandOutput published;
    for (const auto& [name, bytes] : nb::cast<std::map<std::string, nb::bytes>>(run(side)))
      published.files[name] = {bytes.c_str(), bytes.size()};
    return published;
  });
  nb::list differences;  // which show bytes of any kind
  for (const std::string& each : found.differences) differences.append(nb::bytes(each.data(), each.size()));
  return nb::make_tuple(differences, found.releases);
}

}  // namespace

void bind_audit(nb::module_& module) {
  module.def("audit", audit_methods, nb::arg("words"), nb::arg("progress").none());
  module.def("audit_options", described<cli::AuditOptions>);
  module.def("audit_bytes", audit_bytes_returned, nb::arg("run"));
}

}  // namespace tulle::python
