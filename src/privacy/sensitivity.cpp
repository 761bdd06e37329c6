#include <tulle/base/error.hpp>
#include <tulle/privacy/sensitivity.hpp>

#include <cmath>
#include <limits>

namespace tulle {

std::string_view name(Norm norm) {
  switch (norm) {
    case Norm::one_coordinate:
      return "one coordinate";
    case Norm::l1:
      return "L1";
    case Norm::l2:
      return "L2";
    case Norm::l21:
      return "L2,1";
  }
  return "?";
}

Sensitivity::Sensitivity(Norm norm, double value, Unit unit, Relation relation)
    : norm_(norm), value_(value), unit_(unit), relation_(relation) {
  if (!(value > 0) || !std::isfinite(value))
    fail("sensitivity {}: it must be a finite number above 0, from public facts such as the range", value);
}

Sensitivity Sensitivity::one_coordinate(double value, Unit unit, Relation relation) {
  return {Norm::one_coordinate, value, unit, relation};
}

Sensitivity Sensitivity::l1(double value, Unit unit, Relation relation) {
  return {Norm::l1, value, unit, relation};
}

Sensitivity Sensitivity::l2(double value, Unit unit, Relation relation) {
  return {Norm::l2, value, unit, relation};
}

Sensitivity Sensitivity::l21(double value, Unit unit, Relation relation) {
  return {Norm::l21, value, unit, relation};
}

Sensitivity Sensitivity::for_group(std::uint64_t size) const {
  if (size < 1) fail("a group has at least one unit");
  const Norm norm = norm_ == Norm::one_coordinate && size > 1 ? Norm::l1 : norm_;
  if (size > std::numeric_limits<std::uint64_t>::max() / group_) fail("a group has fewer than 2^64 units");
  Sensitivity result(norm, value_ * static_cast<double>(size), unit_, relation_);
  result.group_ = group_ * size;
  return result;
}

Sensitivity Sensitivity::in(Norm norm) const {
  const bool follows = norm == norm_ || norm_ == Norm::one_coordinate ||
                       (norm == Norm::l2 && norm_ != Norm::l2) || (norm == Norm::l21 && norm_ == Norm::l1);
  if (!follows || (norm == Norm::one_coordinate && norm != norm_))
    fail("a bound in {} says nothing about {}; bound the query in that norm", name(norm_), name(norm));
  Sensitivity result = *this;
  result.norm_ = norm;
  return result;
}

}  // namespace tulle
