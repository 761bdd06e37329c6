// What a curator gives for later releases: batches of sampled units, and portions (disjoint batches under
// parallel composition).
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/account/sampling.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Identifies the curator that made something. Invalid once moved from; cannot be copied.
class Maker {
 public:
  static Maker next();  // unequal to every other

  Maker(Maker&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
  Maker& operator=(Maker&& other) noexcept {
    number_ = std::exchange(other.number_, 0);
    return *this;
  }

  bool valid() const { return number_ != 0; }
  // A mark of this maker, for the things it makes.
  Maker mark() const { return Maker(number_); }
  bool made(const Maker& mark) const { return valid() && mark.number_ == number_; }

 private:
  explicit Maker(std::uint64_t number) : number_(number) {}
  std::uint64_t number_;
};

// Units chosen by a curator's own coins, for one release of that curator, which uses them up. Only functions
// run by the curator see which and how many they are: a sampled release is as private as stated because
// nobody knows the coins, and the number of units may be private.
class Batch {
 private:
  friend class Curator;
  Batch(Maker maker, PoissonSampling sampling, std::vector<std::uint64_t> units)
      : maker_(std::move(maker)), sampling_(sampling), units_(std::move(units)) {}

  Maker maker_;
  PoissonSampling sampling_;
  std::vector<std::uint64_t> units_;
};

// A release made in portions: each unit contributes one value to one portion. A neighbour changes one unit,
// hence one value of one portion, so all portions together cost what a single one does (parallel
// composition), and later portions may depend on the answers of earlier ones. This requires a relation under
// which the set of units is public. Cannot be copied and works only with the curator that opened it, so that
// each unit is answered for once.
class Portions {
 public:
  std::uint64_t left() const { return left_; }  // units not released yet

 private:
  friend class Curator;
  Portions(Maker maker, Event event, std::size_t record, std::uint64_t units)
      : maker_(std::move(maker)), event_(std::move(event)), record_(record), left_(units), answered_(units) {}

  // An Error, naming the release `what`, if one of them does not exist or was released before.
  void take(std::span<const std::uint64_t> units, const std::string& what);

  Maker maker_;
  Event event_;         // the cost of each portion, and of all together
  std::size_t record_;  // index of the record that all portions share
  std::uint64_t left_;
  std::vector<bool> answered_;
};

}  // namespace tulle

#pragma GCC visibility pop
