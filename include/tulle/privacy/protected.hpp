// Data that must not reach any output but through a release.
//
// The types keep code from reading it by accident: a Protected value has no accessor, does not print, does
// not convert, and only the curator opens it, for the length of a query. What they cannot keep anyone from: a
// query that stores what it was shown in a variable outside of it, or that tells by its running time. Such a
// query is a bug in a method; see docs/limitations.md.
#pragma once

#include <iosfwd>
#include <utility>
#include <vector>

namespace tulle {

template <class T>
class Protected {
 public:
  explicit Protected(T value) : value_(std::move(value)) {}

  friend std::ostream& operator<<(std::ostream&, const Protected&) = delete;

 private:
  friend class Curator;
  T value_;
};

// What a release hands out: values that may go anywhere, and how noisy they are. Estimators use the
// deviation; it is public.
struct Noisy {
  std::vector<double> values;
  double deviation = 0;  // standard deviation of the noise on each value
};

}  // namespace tulle
