// Data that must not reach any output but through a release.
//
// The types keep code from reading it by accident: a Protected value has no accessor, does not print, does
// not convert. The curator opens it for the duration of a query, and open_for_the_data_owner() for output
// that no guarantee covers, and for what is public about it (the positions of cells under replace and
// zero-out). What is computed from it by map() stays protected. The types cannot prevent a query from storing
// its input in a variable outside of it, or from revealing it by its running time. Such a query is a bug in a
// method; see docs/limitations.md.
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

  // Something computed from the data: as protected as the data.
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
// derived from it must be labelled as outside the guarantee, by these words.
inline constexpr std::string_view kForTheOwner = "for the data owner, not covered by the guarantee";
template <class T>
const T& open_for_the_data_owner(const Protected<T>& data) {
  return data.value_;
}

// The result of a release: values that may be published, and the standard deviation of their noise, which is
// public and used by estimators.
struct Noisy {
  std::vector<double> values;
  double deviation = 0;  // standard deviation of the noise on each value
};

}  // namespace tulle

#pragma GCC visibility pop
