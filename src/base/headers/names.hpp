// Tables of the values of an enumeration and their names, for reading and showing them as text.
#pragma once

#include <tulle/base/suggestion.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle {

template <class Value, std::size_t Size>
using Names = std::array<std::pair<Value, std::string_view>, Size>;

// Throws a UsageError that lists the names if `name` is not among them; `what` is the kind of thing named.
template <class Value, std::size_t Size>
Value find_named(const Names<Value, Size>& table, std::string_view name, std::string_view what) {
  std::vector<std::string> names;
  for (const auto& [value, text] : table) {
    if (text == name) return value;
    names.emplace_back(text);
  }
  fail_unknown(what, name, names);
}

template <class Value, std::size_t Size>
std::string_view name_in(const Names<Value, Size>& table, Value wanted) {
  for (const auto& [value, text] : table)
    if (value == wanted) return text;
  return "?";
}

}  // namespace tulle
