#include <tulle/base/error.hpp>
#include <tulle/job/merging.hpp>

namespace tulle {

void check_merging(Duplicates duplicates, Unit unit, Relation relation) {
  if (duplicates == Duplicates::refuse || unit != Unit::entry || relation == Relation::replace) return;
  fail_usage(
      "{}, so one row more or less changes the value of an entry: for unit entry under {} that is one entry "
      "removed and another one added, two changes where one is protected; protect users, choose relation "
      "replace, or merge the rows beforehand if the unit to protect is a cell with all its rows",
      merging(duplicates), name(relation));
}

std::string merging(Duplicates duplicates) {
  switch (duplicates) {
    case Duplicates::mean:
      return "rows of one cell are merged into their mean";
    case Duplicates::last:
      return "rows of one cell are merged into the last of them";
    case Duplicates::sum:
      return "rows of one cell are merged into their sum";
    case Duplicates::count:
      return "rows of one cell are merged into their number";
    case Duplicates::refuse:
      break;
  }
  return "a cell has one row";
}

std::string merging_fact(Duplicates duplicates, Unit unit) {
  return fmt::format("duplicates: {} ({} before clamping{})", name(duplicates), merging(duplicates),
                     unit == Unit::entry ? "; an entry is a cell with all its rows" : "");
}

}  // namespace tulle
