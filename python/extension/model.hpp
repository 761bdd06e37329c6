// What a completion or a search for topics returns to Python.
#pragma once

#include <tulle/io/model_file.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

namespace tulle::python {

struct FittedModel {
  ModelFile published;
  std::optional<ModelFile> with_user_rows;  // under joint privacy; for the users alone
  std::string report;                       // JSON, as the command prints it
};

// Its name, its labels, whether any position will do, whether it is numbered. As texts of Python, which are
// UTF-8.
inline nanobind::tuple described(const Mode& mode) {
  return nanobind::make_tuple(mode.name, mode.labels, mode.any, mode.numbered);
}

void bind_model(nanobind::module_& module);

}  // namespace tulle::python
