// How Tulle says no: one line that says what is wrong, where, and what to do.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#pragma GCC visibility push(default)

namespace tulle {

// Bad input, or something that went wrong outside the program. The command prints it and exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A request that cannot be met whatever the data: an unknown name, options that exclude each other. The
// command exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace tulle

#pragma GCC visibility pop
