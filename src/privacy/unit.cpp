#include <tulle/base/error.hpp>
#include <tulle/privacy/unit.hpp>

#include <array>
#include <utility>

namespace tulle {
namespace {

constexpr std::array<std::pair<Unit, std::string_view>, 3> kUnits = {
    {{Unit::entry, "entry"}, {Unit::user, "user"}, {Unit::document, "document"}}};
constexpr std::array<std::pair<Relation, std::string_view>, 3> kRelations = {
    {{Relation::replace, "replace"}, {Relation::zero_out, "zero-out"}, {Relation::add_remove, "add-remove"}}};

template <class Table>
auto find_named(const Table& table, std::string_view name, std::string_view what) {
  std::string names;
  for (const auto& [value, text] : table) {
    if (text == name) return value;
    names += names.empty() ? "" : ", ";
    names += text;
  }
  fail_usage("there is no {} '{}'; there is: {}", what, name, names);
}

template <class Table, class Value>
std::string_view name_in(const Table& table, Value wanted) {
  for (const auto& [value, text] : table)
    if (value == wanted) return text;
  return "?";
}

}  // namespace

std::string_view name(Unit unit) {
  return name_in(kUnits, unit);
}

std::string_view name(Relation relation) {
  return name_in(kRelations, relation);
}

Unit unit_of(std::string_view name) {
  return find_named(kUnits, name, "unit");
}

Relation relation_of(std::string_view name) {
  return find_named(kRelations, name, "relation");
}

}  // namespace tulle
