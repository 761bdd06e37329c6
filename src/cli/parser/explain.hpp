// What is wrong with a command line, in one line that names what was probably meant.
#pragma once

#include <tulle/base/spelling.hpp>

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

std::string flag_of(std::string_view option);
// How the command writes options; it has those of the verb that was given.
Spelling flags_of(const CLI::App& command);

}  // namespace tulle::cli
