// Data that must not reach any output but through a release.
//
// The types keep code from reading it by accident: a Protected value has no accessor, does not print, does
// not convert, and only the curator opens it, for the length of a query. What is computed from it by map()
// stays protected. What the types cannot keep anyone from: a query that stores what it was shown in a
// variable outside of it, or that tells by its running time. Such a query is a bug in a method; see
// docs/limitations.md.
#pragma once

#include <iosfwd>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

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

// For what the owner of the data sees and nobody else: errors on held-out cells, each user's own row.
// Whatever is made of it must be labelled as outside the guarantee, by these words.
inline constexpr std::string_view kForTheOwner = "for the data owner, not covered by the guarantee";
template <class T>
const T& open_for_the_data_owner(const Protected<T>& data) {
  return data.value_;
}

// What a release hands out: values that may go anywhere, and how noisy they are. Estimators use the
// deviation; it is public.
struct Noisy {
  std::vector<double> values;
  double deviation = 0;  // standard deviation of the noise on each value
};

}  // namespace tulle
