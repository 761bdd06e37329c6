// A run without data: it states its releases and their noise, and looks at nothing.
#pragma once

#include <tulle/privacy/guarantee.hpp>

#include <cstdint>

namespace tulle {

// While it lives, curators of this thread run no query: every answer is zeros, without noise. When all that a
// curator planned is on its record, it throws Rehearsed.
class Rehearsal {
 public:
  Rehearsal();
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  static Rehearsal* of_this_thread();

  void open(std::uint64_t units) { open_units_ += units; }  // of a release in portions
  void close(std::uint64_t units) { open_units_ -= units; }
  bool is_open() const { return open_units_ > 0; }

 private:
  Rehearsal* before_;
  std::uint64_t open_units_ = 0;
};

// The end of a rehearsal: the guarantee, with a record of all that was planned.
struct Rehearsed {
  Guarantee guarantee;
};

}  // namespace tulle
