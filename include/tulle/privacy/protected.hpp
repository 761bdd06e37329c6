// Data that must not reach any output but through a release.
//
// The types keep code from reading it by accident: a Protected value has no accessor, does not print and does
// not convert. The curator opens it while a query runs; open_for_the_data_owner() opens it for output that no
// guarantee covers and for its public facts (the positions of cells under replace and zero-out). A value that
// map() computes from it stays protected. The types cannot prevent a query from storing its input outside
// itself, or from revealing it by its running time: such a query is a bug in a method; see
// docs/limitations.md.
#pragma once

#include <iosfwd>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

template <class T>
class Protected {
 public:
  explicit Protected(T value) : value_(std::move(value)) {}

  friend std::ostream& operator<<(std::ostream&, const Protected&) = delete;

  // A value computed from the data, as protected as they are.
  template <class Function>
  auto map(Function&& function) const {
    return Protected<std::decay_t<decltype(function(value_))>>(function(value_));
  }

 private:
  friend class Curator;
  template <class U>
  friend const U& open_for_the_data_owner(const Protected<U>& data);
  T value_;
};

// For output to the owner of the data alone: errors on held-out cells, each user's own row. Everything
// derived from it must be labelled as outside the guarantee, with these words.
inline constexpr std::string_view kForTheOwner = "for the data owner, not covered by the guarantee";
template <class T>
const T& open_for_the_data_owner(const Protected<T>& data) {
  return data.value_;
}

// The result of a release: values that may be published, and the standard deviation of their noise, which is
// public and which estimators use.
struct Noisy {
  std::vector<double> values;
  double deviation = 0;  // standard deviation of the noise on each value
};

}  // namespace tulle

#pragma GCC visibility pop
