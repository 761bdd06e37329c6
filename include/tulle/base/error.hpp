// Errors are one line: what is wrong, where, and what to do.
#pragma once

#include <tulle/base/spelling.hpp>

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#pragma GCC visibility push(default)

namespace tulle {

// Bad input, or a failure outside the program. The command prints it and exits with 1.
class Error : public std::runtime_error {
 public:
  // The text may contain marked options (base/spelling.hpp); what() spells them as in C++.
  explicit Error(const std::string& text);
  ~Error() override;  // defined in error.cpp, where the vtable is emitted too

  // The marked text, for another message, or for an interface that spells the options itself.
  const std::string& text() const { return *text_; }

 private:
  std::shared_ptr<const std::string> text_;
};

// A request that no data can satisfy, such as an unknown name or options that exclude each other. The command
// exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
  ~UsageError() override;
};

// The text of any exception, with its options marked.
std::string text_of(const std::exception& error);

// Formats a text with its options marked, to be part of a message.
template <class... Args>
std::string message(fmt::format_string<Args...> format, Args&&... args) {
  const fmt::string_view text = format;
  return fmt::vformat(with_marks({text.data(), text.size()}), fmt::make_format_args(args...));
}

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(message(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(message(format, std::forward<Args>(args)...));
}

}  // namespace tulle

#pragma GCC visibility pop
