// What a run released, as values that know their noise: whoever has them may estimate from them as often as
// they like, at no cost.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/protected.hpp>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class Curator;
class Portions;
struct NoisyAbove;

// Made of what the curator returned, and of what earlier releases and public facts say of it.
struct Release {
  // What the curator released last, or as a portion of a release. `id`: what an estimator finds it by.
  static Release of(std::string id, const Curator& curator, Noisy released);
  static Release of(std::string id, const Curator& curator, NoisyAbove released);
  static Release of(std::string id, const Curator& curator, const Portions& portions, Noisy released);

  std::string id;
  std::string what, noise;    // as on the record: in the method's words, and the name of the noise
  std::vector<Event> events;  // what it cost; portions of one release cost it once, together
  std::vector<double> values = {};
  double deviation = 0;  // standard deviation of the noise on each value; the largest where they differ
  double typical = 0;    // the same on average over values that are uniform on their bounds

  // Units that the values are of, one each, in ascending order; empty: of sums over units, or of all entries
  // in their order.
  std::vector<std::uint64_t> units = {};
  // Of values of a huge table above a threshold: their places in it, in ascending order.
  std::vector<std::uint64_t> places = {};
  // Of values that were clamped to a window around what earlier releases predict: its width, and for each
  // value whether its unit lies beyond or near an end of it, as far as later releases say. Such a value is
  // biased towards the middle of the window.
  double window = 0;
  std::vector<std::uint8_t> clipped = {};
  // What the method chose about the release, of public facts and earlier releases, as its estimate reads it.
  std::vector<double> chosen = {};

  bool operator==(const Release&) const = default;
};

using Releases = std::vector<Release>;

}  // namespace tulle

#pragma GCC visibility pop
