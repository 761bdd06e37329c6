#include <tulle/base/error.hpp>
#include <tulle/privacy/sensitivity.hpp>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

// Rounded up if it is not exact.
double product_at_most(double one, double other) {
  const double product = one * other;
  const double bound = std::fma(one, other, -product) > 0 ? std::nextafter(product, HUGE_VAL) : product;
  if (!std::isfinite(bound)) fail("sensitivity {} times {} is beyond all numbers", one, other);
  return bound;
}

}  // namespace

std::string_view name(Norm norm) {
  switch (norm) {
    case Norm::one_coordinate:
      return "one coordinate";
    case Norm::coordinates:
      return "each coordinate";
    case Norm::l1:
      return "L1";
    case Norm::l2:
      return "L2";
    case Norm::l21:
      return "L2,1";
  }
  return "?";
}

Sensitivity::Sensitivity(Norm norm, double value, std::uint64_t changing, Unit unit, Relation relation)
    : norm_(norm), value_(value), changing_(changing), unit_(unit), relation_(relation) {
  if (!(value > 0) || !std::isfinite(value))
    fail("sensitivity {}: it must be a finite number above 0, from public facts such as the range", value);
}

Sensitivity Sensitivity::one_coordinate(double value, Unit unit, Relation relation) {
  return {Norm::one_coordinate, value, 1, unit, relation};
}

Sensitivity Sensitivity::coordinates(double value, std::uint64_t changing, Unit unit, Relation relation) {
  if (changing < 1) fail("sensitivity: a unit that changes no coordinate needs no noise");
  return {changing == 1 ? Norm::one_coordinate : Norm::coordinates, value, changing, unit, relation};
}

Sensitivity Sensitivity::l1(double value, Unit unit, Relation relation) {
  return {Norm::l1, value, 0, unit, relation};
}

Sensitivity Sensitivity::l2(double value, Unit unit, Relation relation) {
  return {Norm::l2, value, 0, unit, relation};
}

Sensitivity Sensitivity::l21(double value, Unit unit, Relation relation) {
  return {Norm::l21, value, 0, unit, relation};
}

Sensitivity Sensitivity::for_group(std::uint64_t size) const {
  if (size < 1) fail("a group has at least one unit");
  if (size == 1) return *this;
  if (size > std::numeric_limits<std::uint64_t>::max() / group_) fail("a group has fewer than 2^64 units");
  Sensitivity result = changing_ > 0 ? in(Norm::l1) : *this;
  result.value_ = product_at_most(result.value_, static_cast<double>(size));
  result.group_ = group_ * size;
  return result;
}

Sensitivity Sensitivity::in(Norm norm) const {
  if (norm == norm_) return *this;
  const bool counted = norm == Norm::one_coordinate || norm == Norm::coordinates;
  const bool follows = !counted && (changing_ > 0 || norm == Norm::l2 || norm_ == Norm::l1);
  if (!follows || norm_ == Norm::l2)
    fail("a bound in {} says nothing about {}; bound the query in that norm", name(norm_), name(norm));
  Sensitivity result = *this;
  result.norm_ = norm;
  result.changing_ = 0;
  if (changing_ <= 1) return result;
  const auto count = static_cast<double>(changing_);
  const double factor = norm == Norm::l2 ? std::nextafter(std::sqrt(count), HUGE_VAL) : count;
  result.value_ = product_at_most(value_, factor);
  return result;
}

}  // namespace tulle
