// Whose data a guarantee protects, and against which change.
#pragma once

#include <string_view>

#pragma GCC visibility push(default)

namespace tulle {

// Whose data one neighbour step changes.
enum class Unit {
  entry,     // one value
  event,     // one event: it adds 1 to the count of one cell
  user,      // all entries of one position of the named mode
  document,  // one document or sample
  example,   // one labelled example
};

// How the data of a unit may change between neighbours.
enum class Relation {
  replace,     // the value changes anywhere in its public range; positions are public
  zero_out,    // the unit contributes nothing; positions are public
  add_remove,  // the unit is present or absent; positions are private
};

std::string_view name(Unit unit);
std::string_view name(Relation relation);
Unit unit_of(std::string_view name);          // a UsageError for any other name
Relation relation_of(std::string_view name);  // a UsageError for any other name

}  // namespace tulle

#pragma GCC visibility pop
