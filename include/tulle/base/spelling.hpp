// Options in messages. The library does not know how its options are given: as flags of the command, keywords
// of Python, keys of a study file or fields of a C++ program. A message names an option by its id, and each
// of these interfaces spells it in its own way.
//
// In a text, "@nan-missing" is the option of that id. "[, or read NaN as missing (@nan-missing)]" is advice,
// which an interface without that option drops.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace tulle {

// How an interface writes an option, and whether it has that option.
struct Spelling {
  std::function<std::string(std::string_view id)> write;
  std::function<bool(std::string_view id)> has;
};

// Marks the options in a text, so that texts inserted later cannot name one.
std::string with_marks(std::string_view text);
// One option, marked.
std::string option_name(std::string_view id);
// A part of a text that no interface shows, such as a suffix that distinguishes data in memory with one name.
std::string hidden(std::string_view part);

// A marked text as an interface shows it.
std::string spelled(std::string_view marked, const Spelling& spelling);

// Fields of C++: ReadOptions::nan_is_missing.
const Spelling& cpp_spelling();

}  // namespace tulle

#pragma GCC visibility pop
