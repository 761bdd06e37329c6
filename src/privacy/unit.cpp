#include <tulle/base/names.hpp>
#include <tulle/privacy/unit.hpp>

namespace tulle {
namespace {

constexpr Names<Unit, 5> kUnits = {{{Unit::entry, "entry"},
                                    {Unit::event, "event"},
                                    {Unit::user, "user"},
                                    {Unit::document, "document"},
                                    {Unit::example, "example"}}};
constexpr Names<Relation, 3> kRelations = {
    {{Relation::replace, "replace"}, {Relation::zero_out, "zero-out"}, {Relation::add_remove, "add-remove"}}};

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
