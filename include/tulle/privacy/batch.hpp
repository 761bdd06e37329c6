// Units that a curator chose for one release of its own, and units that it answers for one portion after the
// other.
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

// Which curator made something. Nobody's once it was moved from; it cannot be copied.
class Maker {
 public:
  static Maker next();  // one that no other is equal to

  Maker(Maker&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
  Maker& operator=(Maker&& other) noexcept {
    number_ = std::exchange(other.number_, 0);
    return *this;
  }

  bool valid() const { return number_ != 0; }
  // The same maker's mark, for what it makes.
  Maker mark() const { return Maker(number_); }
  bool made(const Maker& mark) const { return valid() && mark.number_ == number_; }

 private:
  explicit Maker(std::uint64_t number) : number_(number) {}
  std::uint64_t number_;
};

// Units chosen by a curator's own coins, for one release of that curator, which uses them up. Which units
// they are, and how many, is seen by the query of that release alone: a sampled release is as private as it
// is because nobody knows the coins, and the number of units may be private.
class Batch {
 private:
  friend class Curator;
  Batch(Maker maker, PoissonSampling sampling, std::vector<std::uint64_t> units)
      : maker_(std::move(maker)), sampling_(sampling), units_(std::move(units)) {}

  Maker maker_;
  PoissonSampling sampling_;
  std::vector<std::uint64_t> units_;
};

// A release that is made in portions: of every unit one number, in one portion. A neighbour changes one unit,
// hence one number of one portion, so all portions together cost what a single one does (parallel
// composition), and later ones may depend on the answers of earlier ones. That takes a relation under which
// it is public which units there are. Cannot be copied, and is good for the curator that opened it alone:
// that is how each unit is answered for once.
class Portions {
 public:
  std::uint64_t left() const { return left_; }  // units that were not released yet

 private:
  friend class Curator;
  Portions(Maker maker, Event event, std::size_t record, std::uint64_t units)
      : maker_(std::move(maker)), event_(std::move(event)), record_(record), left_(units), answered_(units) {}

  // An Error where one of them does not exist or was released before; `what` is the release's name there.
  void take(std::span<const std::uint64_t> units, const std::string& what);

  Maker maker_;
  Event event_;         // what each portion costs, and so all of them
  std::size_t record_;  // the one that all portions share
  std::uint64_t left_;
  std::vector<bool> answered_;
};

}  // namespace tulle

#pragma GCC visibility pop
