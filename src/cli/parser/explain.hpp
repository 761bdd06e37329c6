// What is wrong with a command line, in one line that names what was probably meant.
#pragma once

#include <CLI/CLI.hpp>

#include <span>
#include <string>

namespace tulle::cli {

// An option that ends with "=", as an empty variable of a shell leaves it: the parser would take the next
// word for its value, and so lose another option.
void refuse_empty_values(std::span<const char* const> words);

// `words` are the command line as it was typed, without the program's name.
std::string explain(const CLI::App& command, const CLI::ParseError& error,
                    std::span<const char* const> words);

// A message of the library, which names no options, with the option of the verb that its remedy means.
std::string with_option(const CLI::App& command, const std::string& message);

}  // namespace tulle::cli
