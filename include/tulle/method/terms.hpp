// The guarantee that a private run is asked for: budget, unit, relation, and what is public.
#pragma once

#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/unit.hpp>
#include <tulle/tensor/shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Public bounds of a value. Never taken from the data.
struct Range {
  double low = 0, high = 0;

  // high - low, rounded up: no two values of the range are further apart.
  double width() const {
    const double difference = high - low, of_low = difference - high;
    const double lost = (high - (difference - of_low)) - (low + of_low);  // exact: Knuth's two-sum
    return lost > 0 ? std::nextafter(difference, HUGE_VAL) : difference;
  }
  double middle() const { return low + (high - low) / 2; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }  // absolute value
  double clamp(double value) const { return std::clamp(value, low, high); }
  // A value less the middle, from -width / 2 to width / 2: at most width apart whatever was rounded.
  double centred(double value) const {
    const double half = width() / 2;
    return std::clamp(value - middle(), -half, half);
  }
};

enum class Calibration {
  sound,      // the guarantee is proven
  published,  // the algorithm as published, for comparison
};

// The guarantee holds against up to `colluding` sites that share what they know; 0: against outsiders only,
// since a site can subtract its own noise. Sites may drop out as long as `threshold` of them are left; 0:
// none may. The data of one user are at `overlap` sites at most. A server, which has no data, may carry the
// messages and hold the shared factors.
struct Sites {
  int colluding = 1;
  int threshold = 0;
  int overlap = 1;
  bool server = false;
};

// What the owner states of positions that are private (add-remove): how large every mode is, and that its
// positions are numbered by a public list, not by the data. The size of a mode of users who come and go stays
// private: any number may stand there. Entries beyond these sizes do not count.
struct PublicShape {
  Shape sizes;
  std::vector<std::string> facts = {};  // how the guarantee says it; none: the sizes are the owner's word
};

// The guarantee that is asked for, and what is public.
struct Terms {
  Budget budget = {};
  Unit unit = Unit::entry;
  std::optional<Relation> relation = {};  // empty: the method's own for the unit
  int user_mode = 0;                      // unit user: whose positions are the users
  Range range = {};
  Calibration calibration = Calibration::sound;
  std::optional<std::uint64_t> seed = {};  // reproducible and therefore not private
  Scope scope = {};  // what else the guarantee states: names, public facts, the source of a warm start
  // Several sites, none of which reveals its own sums: each adds its part of the noise, and only the sum over
  // all sites is revealed.
  std::optional<Sites> sites = {};
  std::optional<PublicShape> shape = {};  // under add-remove; under the other relations that of the data
};

// Unit and relation that a guarantee is for.
struct Neighbours {
  Unit unit;
  Relation relation;
  bool operator==(const Neighbours&) const = default;

  // Users are added or removed between neighbours, so their number is private too.
  bool hide_users() const { return unit == Unit::user && relation == Relation::add_remove; }
};

}  // namespace tulle

#pragma GCC visibility pop
