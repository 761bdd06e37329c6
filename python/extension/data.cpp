#include "data.hpp"

#include <tulle/base/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

std::string axis_name(std::size_t mode) {
  return fmt::format("axis {}", mode);
}

using Column = std::tuple<std::string, AnyArray, std::optional<std::vector<std::string>>>;

template <class Number>
std::span<const Number> span_of(const AnyArray& array) {
  return {static_cast<const Number*>(array.data()), array.size()};
}

NumbersInMemory numbers_of(const AnyArray& array) {
  if (array.dtype() == nb::dtype<float>()) return span_of<float>(array);
  if (array.dtype() == nb::dtype<double>()) return span_of<double>(array);
  fail("values are float32 or float64; convert them");
}

CodesInMemory codes_of(const AnyArray& array) {
  if (array.dtype() == nb::dtype<std::int32_t>()) return span_of<std::int32_t>(array);
  if (array.dtype() == nb::dtype<std::int64_t>()) return span_of<std::int64_t>(array);
  fail("positions are int32 or int64; convert them");
}

// Modes are called as Python counts them.
ArrayInMemory array_of(const AnyArray& array) {
  ArrayInMemory held{{}, numbers_of(array)};
  for (std::size_t mode = 0; mode < array.ndim(); ++mode) {
    held.dimensions.push_back(array.shape(mode));
    held.names.push_back(axis_name(mode));
  }
  return held;
}

HeldData* hold_array(const std::string& name, AnyArray array) {
  return new HeldData(name, array_of(array), {array});
}

HeldData* hold_table(const std::string& name, const std::vector<Column>& columns,
                     std::optional<AnyArray> values, const std::optional<std::vector<std::uint64_t>>& shape) {
  TableInMemory table;
  std::vector<AnyArray> arrays;
  for (const auto& [column, codes, labels] : columns) {
    table.modes.push_back({column, codes_of(codes), labels});
    arrays.push_back(codes);
  }
  if (table.modes.empty()) fail("{}: no columns of positions", name);
  if (values) {
    table.values = numbers_of(*values);
    arrays.push_back(*values);
  }
  for (const AnyArray& array : arrays)
    if (array.size() != arrays.front().size())
      fail("{}: columns of {} and of {} rows; give as many of each", name, arrays.front().size(),
           array.size());
  if (shape) table.shape = Shape(*shape);
  return new HeldData(name, std::move(table), std::move(arrays));
}

HeldData* hold_text(const std::string& name, std::string text) {
  return new HeldData(name, TextInMemory{std::move(text)}, {});
}

HeldData* hold_examples(const std::string& name, AnyArray values, const std::vector<double>& labels) {
  return new HeldData(name, ExamplesInMemory{array_of(values), labels}, {values});
}

}  // namespace

std::vector<std::uintptr_t> HeldData::addresses() const {
  std::vector<std::uintptr_t> all;
  for (const AnyArray& array : arrays_) all.push_back(reinterpret_cast<std::uintptr_t>(array.data()));
  return all;
}

void bind_data(nb::module_& module) {
  nb::class_<HeldData>(module, "HeldData", "Data in memory, under a path that the verbs read.")
      .def_prop_ro("path", &HeldData::path)
      .def_prop_ro("addresses", &HeldData::addresses, "Where the arrays lie that are read.");
  module.def("axis_name", axis_name, nb::arg("mode"));
  module.def("hold_array", hold_array, nb::arg("name"), nb::arg("array").noconvert());
  module.def("hold_table", hold_table, nb::arg("name"), nb::arg("columns"), nb::arg("values").none(),
             nb::arg("shape").none());
  module.def("hold_text", hold_text, nb::arg("name"), nb::arg("text"));
  module.def("hold_examples", hold_examples, nb::arg("name"), nb::arg("values").noconvert(),
             nb::arg("labels"));
}

}  // namespace tulle::python
