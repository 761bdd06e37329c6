// The jobs of the package, as functions of the values of their options.
#pragma once

#include <nanobind/nanobind.h>

namespace tulle::python {

void bind_complete(nanobind::module_& module);
void bind_refit(nanobind::module_& module);
void bind_topics(nanobind::module_& module);
void bind_counts(nanobind::module_& module);
void bind_classify(nanobind::module_& module);
void bind_couple(nanobind::module_& module);
void bind_audit(nanobind::module_& module);
void bind_budget(nanobind::module_& module);
void bind_command(nanobind::module_& module);

}  // namespace tulle::python
