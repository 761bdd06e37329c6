#include "options.hpp"
#include "task.hpp"
#include "verbs.hpp"

#include <tulle/audit/bytes.hpp>
#include <tulle/audit/request.hpp>
#include <tulle/base/json.hpp>

#include <nanobind/stl/map.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

std::string audit_methods(const nb::dict& values, nb::object progress) {
  return with_options<AuditRequest>(values, [&](const AuditRequest& request) {
    const auto report = std::make_shared<std::string>();
    run_task([report, request](const Watcher&) { *report = json_text(report_of(request, audit(request))); },
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
  module.def("audit", audit_methods, nb::arg("values"), nb::arg("progress").none());
  module.def("audit_options", described_options<AuditRequest>);
  module.def("audit_bytes", audit_bytes_returned, nb::arg("run"));
}

}  // namespace tulle::python
