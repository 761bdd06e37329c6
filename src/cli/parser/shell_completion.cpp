// tulle completion: a script for completing verbs, options and values in a shell. It is generated from the
// parser, so it is always up to date.
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/method.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace tulle::cli {
namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& verbs) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs) names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> long_options(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string method_names(Job job) {
  std::string names;
  for (const Method& method : methods(job)) names += (names.empty() ? "" : " ") + method.name;
  return names;
}

// The values of an option or argument that takes one of a list, separated by blanks. Besides methods, the
// list comes from the parser's type name, which shows it as {a,b,c}.
std::string values_of(const CLI::App& verb, const CLI::Option& option) {
  if (option.check_lname("method"))
    return method_names(verb.get_name() == "topics"     ? Job::topics
                        : verb.get_name() == "count"    ? Job::counts
                        : verb.get_name() == "classify" ? Job::classification
                                                        : Job::completion);
  if (option.get_name(true) == "METHOD") return method_names(Job::completion);
  if (verb.get_name() == "methods" && option.get_positional())
    return method_names(Job::completion) + " " + method_names(Job::topics) + " " + method_names(Job::counts) +
           " " + method_names(Job::classification);
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return "";
  std::string values = type.substr(open + 1, close - open - 1);
  std::ranges::replace(values, ',', ' ');
  return values;
}

// The values of the first argument of a verb. The script asks the command for experiments when it runs.
std::string first_values(const CLI::App& verb) {
  if (verb.get_name() == "reproduce") return "$(tulle reproduce 2>/dev/null | cut -d' ' -f1)";
  if (const auto below = verbs_of(verb); !below.empty())
    return fmt::format("{}", fmt::join(names_of(below), " "));
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional()) return values_of(verb, *option);
  return "";
}

// A case for every option with a list of values, as "verb option".
std::string value_cases(const CLI::App& verb) {
  std::string cases;
  for (const CLI::Option* option : verb.get_options())
    if (const std::string values = values_of(verb, *option); !values.empty())
      for (const std::string& name : option->get_lnames())
        cases += fmt::format("    \"{} --{}\") values=\"{}\" ;;\n", verb.get_name(), name, values);
  return cases;
}

std::string bash(const CLI::App& command) {
  std::string options, values;
  for (const CLI::App* verb : verbs_of(command)) {
    std::vector<std::string> names = long_options(*verb);
    for (const CLI::App* below : verbs_of(*verb)) {
      const std::vector<std::string> more = long_options(*below);
      names.insert(names.end(), more.begin(), more.end());
    }
    options += fmt::format("    {}) options=\"{}\" first=\"{}\" ;;\n", verb->get_name(),
                           fmt::join(names, " "), first_values(*verb));
    values += value_cases(*verb);
  }
  return fmt::format(
      "_tulle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} options=\"\" first=\"\" values=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $verb in\n"
      "{}"
      "  esac\n"
      "  case \"$verb ${{COMP_WORDS[COMP_CWORD-1]}}\" in\n"
      "{}"
      "  esac\n"
      "  [ \"$COMP_CWORD\" -eq 2 ] && values=$first\n"
      "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [ -n \"$values\" ]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
      "}}\n"
      "complete -o filenames -F _tulle tulle\n",
      fmt::join(names_of(verbs_of(command)), " "), options, values);
}

std::string zsh(const CLI::App& command) {
  return "#compdef tulle\nautoload -U +X bashcompinit && bashcompinit\n" + bash(command);
}

std::string quoted_for_fish(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish(const CLI::App& command) {
  std::string script;
  for (const CLI::App* verb : verbs_of(command)) {
    const std::string& name = verb->get_name();
    script += fmt::format("complete -c tulle -n __fish_use_subcommand -a {} -d {}\n", name,
                          quoted_for_fish(verb->get_description()));
    if (const std::string first = first_values(*verb); !first.empty() && !first.starts_with('$'))
      script += fmt::format("complete -c tulle -n '__fish_seen_subcommand_from {}' -a '{}'\n", name, first);
    for (const CLI::Option* option : verb->get_options()) {
      const std::string values = values_of(*verb, *option);
      for (const std::string& option_name : option->get_lnames())
        script += fmt::format("complete -c tulle -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n", name,
                              option_name, values.empty() ? "" : fmt::format(" -x -a '{}'", values),
                              quoted_for_fish(option->get_description()));
    }
  }
  return script;
}

}  // namespace

void add_shell_completion(Verb& command) {
  auto shell = std::make_shared<std::string>();
  Verb verb = command.add_verb("completion", "Print a completion script for a shell");
  verb.add_option("SHELL", *shell, "Shell: bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  verb.footer("Example:\n  source <(tulle completion bash)");
  verb.callback([shell, &parser = command.parser()] {
    fmt::print("{}", *shell == "bash" ? bash(parser) : *shell == "zsh" ? zsh(parser) : fish(parser));
  });
}

}  // namespace tulle::cli
