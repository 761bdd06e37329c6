#include "parser/explain.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tulle::cli {
namespace {

// The verb in the command line, or the verb of a verb; the command itself without one.
const CLI::App& innermost(const CLI::App& command) {
  const CLI::App* app = &command;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

std::string typed_name(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent ? typed_name(*parent) + " " + app.get_name() : app.get_name();
}

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> verb_names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

// An argument without a flag, as the help shows it: MODEL.
std::string positional_of(std::string_view id) {
  std::string name(id);
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
  return name;
}

// The names of all options, and of the arguments without a flag.
std::vector<std::string> names_of(const CLI::App& verb) {
  std::vector<std::string> names = options_of(verb);
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional()) names.push_back(option->get_name(true));
  return names;
}

bool is_option(std::string_view word) {
  return word.size() > 1 && word.starts_with('-') && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

// The first word that no option or argument took. Options come before other words, which may be their
// values.
std::optional<std::string> first_unknown(const CLI::App& command, std::span<const char* const> words) {
  const std::vector<std::string> left = command.remaining(true);
  std::optional<std::string> other;
  for (const char* word : words) {
    if (std::ranges::find(left, word) == left.end()) continue;
    if (is_option(word)) return word;
    if (!other) other = word;
  }
  return other;
}

}  // namespace

std::string flag_of(std::string_view id) {
  return fmt::format("--{}", id);
}

Spelling flags_of(const CLI::App& command) {
  const auto written = [names = names_of(innermost(command))](std::string_view id) {
    const auto found = std::ranges::find_if(
        names, [id](const std::string& name) { return name == flag_of(id) || name == positional_of(id); });
    return found == names.end() ? "" : *found;
  };
  return {.write =
              [written](std::string_view id) {
                const std::string name = written(id);
                return name.empty() ? flag_of(id) : name;
              },
          .has = [written](std::string_view id) { return !written(id).empty(); }};
}

void refuse_empty_values(std::span<const char* const> words) {
  for (const std::string_view word : words)
    if (word.starts_with("--") && word.ends_with('='))
      fail_usage("{} is empty; give a value, or leave it out", word.substr(0, word.size() - 1));
}

std::string explain(const CLI::App& command, const CLI::ParseError& error,
                    std::span<const char* const> words) {
  const CLI::App& verb = innermost(command);
  const std::string see = fmt::format(" (see: {} --help)", typed_name(verb));
  const std::optional<std::string> unknown = first_unknown(command, words);
  if (!unknown) return error.what() + see;
  if (is_option(*unknown)) {
    const std::string name = unknown->substr(0, unknown->find('='));
    return fmt::format("{} is not an option of {}{}{}", name, typed_name(verb),
                       suggestion(name, options_of(verb)), see);
  }
  if (const std::vector<std::string> verbs = verb_names_of(verb); !verbs.empty())
    return fmt::format("'{}' is not a verb of {}{}{}", *unknown, typed_name(verb),
                       suggestion(*unknown, verbs), see);
  return fmt::format("'{}' is one argument more than {} takes{}", *unknown, typed_name(verb), see);
}

}  // namespace tulle::cli
