// "Did you mean": the known name nearest to an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tulle {

// The name that a person most likely meant, or "" if none is near: one that is a few typing errors away (one
// for every three letters of the word), or the only one that begins with it.
std::string nearest_name(std::string_view word, std::span<const std::string> names);

// The same as part of a message: " (did you mean 'complete'?)", or "".
std::string suggestion(std::string_view word, std::span<const std::string> names);

// Throws a UsageError: there is no such `what`; it suggests the nearest name and lists all of them.
[[noreturn]] void fail_unknown(std::string_view what, std::string_view word,
                               std::span<const std::string> names);

}  // namespace tulle
