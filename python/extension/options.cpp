#include "options.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace nb = nanobind;

namespace tulle::python {
namespace {

OptionValue value_of(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return {nb::cast<bool>(value)};
  if (nb::isinstance<nb::str>(value)) {
    std::string text;
    if (!nb::try_cast(value, text))
      fail_usage("a value has characters that UTF-8 has not; write it without them");
    return {std::move(text)};
  }
  if (nb::isinstance<nb::float_>(value)) return {nb::cast<double>(value)};
  if (nb::isinstance<nb::int_>(value)) {
    std::int64_t whole = 0;
    if (nb::try_cast(value, whole)) return {whole};
    return {nb::cast<std::string>(nb::str(value))};  // too large for anything but a seed
  }
  std::vector<OptionValue> parts;
  for (nb::handle part : value) parts.push_back(value_of(part));
  return {std::move(parts)};
}

nb::object object_of(const OptionValue& value) {
  if (const auto* is_set = std::get_if<bool>(&value.held)) return nb::bool_(*is_set);
  if (const auto* whole = std::get_if<std::int64_t>(&value.held)) return nb::int_(*whole);
  if (const auto* number = std::get_if<double>(&value.held)) return nb::float_(*number);
  return nb::cast(std::get<std::string>(value.held));
}

}  // namespace

std::string keyword_of(std::string_view option) {
  if (option == "from") return "from_model";  // words of Python
  if (option == "from-is-public") return "from_model_is_public";
  std::string keyword(option);
  std::ranges::replace(keyword, '-', '_');
  return keyword;
}

void take_values(OptionTable& table, const nb::dict& values) {
  std::map<std::string, OptionValue> given;
  for (const auto& [id, value] : values) given.emplace(nb::cast<std::string>(id), value_of(value));
  table.take(given);
}

nb::list described(OptionTable& table) {
  const Spelling spelling{.write = keyword_of,
                          .has = [&](std::string_view id) { return table.find(id) != nullptr; }};
  nb::list all;
  for (const Option& each : table.options()) {
    nb::dict option;
    option["name"] = each.id();
    option["keyword"] = keyword_of(each.id());
    option["meaning"] = spelled(each.meaning(), spelling);
    option["default"] = each.is_flag()     ? nb::object(nb::bool_(false))
                        : each.otherwise() ? object_of(*each.otherwise())
                                           : nb::none();
    option["type"] = each.type();
    option["choices"] = nb::cast(each.choices());
    option["flag"] = each.is_flag();
    option["repeats"] = each.may_repeat();
    all.append(option);
  }
  return all;
}

}  // namespace tulle::python
