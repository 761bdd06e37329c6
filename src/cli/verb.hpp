// The verbs of the command. Each add_ function declares a verb's options on the parser and what runs when it
// is named.
#pragma once

#include <tulle/base/error.hpp>

#include <CLI/CLI.hpp>

namespace tulle::cli {

// An audit found that a method leaks more than it states. The command exits with 3.
class ViolationFound : public Error {
 public:
  using Error::Error;
};

void add_complete(CLI::App& command);
void add_topics(CLI::App& command);
void add_predict(CLI::App& command);
void add_recommend(CLI::App& command);
void add_evaluate(CLI::App& command);
void add_generate(CLI::App& command);
void add_info(CLI::App& command);
void add_methods(CLI::App& command);
void add_account(CLI::App& command);
void add_budget(CLI::App& command);
void add_reproduce(CLI::App& command);
void add_audit(CLI::App& command);

// For people's tools: both are made from the parser itself, so they cannot fall behind it.
void add_shell_completion(CLI::App& command);
void add_man_page(CLI::App& command);

}  // namespace tulle::cli
