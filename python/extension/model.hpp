// Models in Python: what was fitted, or comes from a file.
#pragma once

#include "page.hpp"

#include <tulle/io/saved_model.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

namespace tulle::python {

template <class File>
struct Fitted {
  File published;
  std::string report;  // JSON, as the command prints it
};

struct FittedModel : Fitted<ModelFile> {
  std::optional<ModelFile> with_user_rows = {};  // under joint privacy; for the users alone
};

using FittedNetwork = Fitted<NetworkFile>;

struct FittedCoupled : Fitted<CoupledFile> {
  const Coupled& model() const { return published.posterior.mean; }
  int product_of(const std::string& relation) const {
    return relation.empty() ? 0 : model().product_of(relation);
  }
  std::vector<Mode> modes(int product) const {
    return in_utf8(modes_of(model(), product, published.entities));
  }
};

// The class of a kind of models, with what all of them have.
template <class FittedKind>
nanobind::class_<FittedKind> bind_kind(nanobind::module_& module, const char* name, const char* what) {
  return nanobind::class_<FittedKind>(module, name, what)
      .def_ro("report", &FittedKind::report)
      .def("write_page", [](const FittedKind& fitted, const std::string& path, const std::string& title,
                            const std::string& report, bool owner) {
        write_page(path, title, report, owner, drawings_of(fitted.published));
      });
}

// Its name, its labels, whether any position will do, whether it is numbered. As texts of Python, which are
// UTF-8.
inline nanobind::tuple described(const Mode& mode) {
  return nanobind::make_tuple(mode.name, mode.labels, mode.any, mode.numbered);
}

void bind_model(nanobind::module_& module);

}  // namespace tulle::python
