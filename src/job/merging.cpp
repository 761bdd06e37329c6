#include <tulle/base/error.hpp>
#include <tulle/job/merging.hpp>

namespace tulle {

void check_merging(Duplicates duplicates, Unit unit, Relation relation) {
  if (duplicates == Duplicates::refuse || unit != Unit::entry || relation == Relation::replace) return;
  fail_usage(
      "merging rows by {}, one row changes the value of its cell, which for unit entry under {} is two "
      "changes where one is protected; protect users, take relation replace, or merge the rows beforehand "
      "and protect whole cells",
      name(duplicates), name(relation));
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
