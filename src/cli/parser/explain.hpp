// Explains the fault of a command line in one line, with a suggestion of what was probably meant.
#pragma once

#include <tulle/base/spelling.hpp>

#include <CLI/CLI.hpp>

#include <span>
#include <string>

namespace tulle::cli {

// Refuses an option that ends with "=", which an empty shell variable causes: the parser would take the next
// word as its value, and so lose another option.
void refuse_empty_values(std::span<const char* const> words);

// `words` is the command line as typed, without the program's name.
std::string explain(const CLI::App& command, const CLI::ParseError& error,
                    std::span<const char* const> words);

std::string flag_of(std::string_view option);
// The spelling of options in the command; it has the options of the chosen verb.
Spelling flags_of(const CLI::App& command);

}  // namespace tulle::cli
