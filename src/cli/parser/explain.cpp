#include "parser/explain.hpp"

#include "options.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tulle::cli {
namespace {

// The verb that was named, or the verb of a verb; the command itself where none was.
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

bool is_option(std::string_view word) {
  return word.size() > 1 && word.starts_with('-') && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

// Of what no option or argument took, the first as typed; options before other words, which may be values of
// theirs.
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

// How the library says what to do, the option that does it, and the values that it takes.
struct Remedy {
  std::string_view words, option, values = "";
};
constexpr Remedy kRemedies[] = {{"have NaN read as missing", "--nan-missing"},
                                {"let new labels be added", "--new", " FILE --new-mode MODE"},
                                {"have them merged", "--duplicates", " mean, last, sum or count"},
                                {"state whether it is", "--header", " yes or no"},
                                {"give their public list", "--public", " MODE=FILE"},
                                {"give their file", "--labels"},
                                {"state that those found in the data are public", "--public", " MODE"},
                                {"give the size of every mode", "--shape"},
                                {"public modes are stated", "--public"},
                                {"do not state it to be public", "--public"},
                                {"cropping", "--crop"},
                                {"the error on are held out", "--holdout"},
                                {"from a test file", "--test"},
                                {"say which of these it is", "--format"},
                                {"have empty values read as missing", "--nan-missing"},
                                {"choose the columns by name", "--columns"},
                                {"choose the columns that are meant", "--columns"},
                                {"run it as published", "--calibration", " published"},
                                {"give a vocabulary", "--vocabulary", " FILE"},
                                {"state that it is public", "--from-is-public"},
                                {"state how many classes there are", "--classes", " N"},
                                {"validation data", "--validation"},
                                {"read it with missing semantics", "--unlisted", " missing"}};

// The parser says of a value that is not in an option's list: "--model: cpp not in {cp,tucker,tubal}".
std::string value_suggestion(std::string_view message) {
  constexpr std::string_view after_option = ": ", before_list = " not in {";
  const std::size_t option = message.find(after_option), list = message.find(before_list);
  if (list == std::string_view::npos || option >= list || !message.ends_with('}')) return "";
  const std::size_t word = option + after_option.size(), first = list + before_list.size();
  const std::string values(message.substr(first, message.size() - first - 1));
  return suggestion(message.substr(word, list - word), split_at_commas(values));
}

// One of several things to do, for which the verb has no option.
void drop_choice(std::string& text, std::string_view words) {
  const std::string choice = fmt::format(", or {}", words);
  if (text.ends_with(choice)) text.resize(text.size() - choice.size());
}

}  // namespace

std::string with_option(const CLI::App& command, const std::string& message) {
  const std::vector<std::string> options = options_of(innermost(command));
  std::string text = message;
  for (const auto& [words, option, values] : kRemedies) {
    const std::size_t found = text.find(words);
    if (found == std::string::npos) continue;
    if (std::ranges::find(options, option) == options.end()) {
      drop_choice(text, words);
      continue;
    }
    if (text.substr(found + words.size()).starts_with(" (")) continue;  // it says how already
    text.insert(found + words.size(), fmt::format(" ({}{})", option, values));
  }
  return text;
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
  if (!unknown) return error.what() + value_suggestion(error.what()) + see;
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
