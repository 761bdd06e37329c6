// Sensitivity: the most that the exact answer of a query can change between neighbouring data sets, together
// with the unit and the relation that define neighbours. Noise cannot be calibrated to a number without them.
#pragma once

#include <tulle/privacy/unit.hpp>

#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)

namespace tulle {

enum class Norm {
  one_coordinate,  // only one coordinate changes, by at most this much
  coordinates,     // at most changing() coordinates change, each by at most this much
  l1,              // sum of absolute changes
  l2,              // Euclidean norm of the change
  l21,             // sum over the rows of their L2 changes
};

std::string_view name(Norm norm);

class Sensitivity {
 public:
  static Sensitivity one_coordinate(double value, Unit unit, Relation relation);
  // Several coordinates change, each by at most `value`; for one, the same as one_coordinate.
  static Sensitivity coordinates(double value, std::uint64_t changing, Unit unit, Relation relation);
  static Sensitivity l1(double value, Unit unit, Relation relation);
  static Sensitivity l2(double value, Unit unit, Relation relation);
  static Sensitivity l21(double value, Unit unit, Relation relation);

  Norm norm() const { return norm_; }
  double value() const { return value_; }
  // The largest number of coordinates that change; 0 if the norm does not bound it.
  std::uint64_t changing() const { return changing_; }
  Unit unit() const { return unit_; }
  Relation relation() const { return relation_; }

  // The same query if `size` units may change at once: by the triangle inequality, `size` times as far, in
  // `size` times as many coordinates (in L1, if the norm counts coordinates). In a Poisson sample each of
  // them has its own coin, which a curator accounts for by group().
  Sensitivity for_group(std::uint64_t size) const;
  std::uint64_t group() const { return group_; }  // the number of units that may change at once

  // The bound implied in another norm: n coordinates by v each are n v in L1 and L2,1, sqrt(n) v in L2; L1
  // bounds L2,1, and both bound L2. An Error if none is implied.
  Sensitivity in(Norm norm) const;

 private:
  Sensitivity(Norm norm, double value, std::uint64_t changing, Unit unit, Relation relation);

  Norm norm_;
  double value_;
  std::uint64_t changing_;
  Unit unit_;
  Relation relation_;
  std::uint64_t group_ = 1;
};

}  // namespace tulle

#pragma GCC visibility pop
