// tulle completion: a script that teaches a shell the verbs and options. Made from the parser, so it is never
// behind it.
#include "verb.hpp"

#include <tulle/base/error.hpp>

namespace tulle::cli {
namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> long_options(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string bash(const CLI::App& command) {
  std::string cases;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : verbs_of(command)) {
    verbs.push_back(verb->get_name());
    cases +=
        fmt::format("    {}) options=\"{}\" ;;\n", verb->get_name(), fmt::join(long_options(*verb), " "));
  }
  return fmt::format(
      "_tulle() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} options=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{}"
      "  esac\n"
      "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
      "}}\n"
      "complete -o filenames -F _tulle tulle\n",
      fmt::join(verbs, " "), cases);
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
    script += fmt::format("complete -c tulle -n __fish_use_subcommand -a {} -d {}\n", verb->get_name(),
                          quoted_for_fish(verb->get_description()));
    for (const CLI::Option* option : verb->get_options())
      for (const std::string& name : option->get_lnames())
        script += fmt::format("complete -c tulle -n '__fish_seen_subcommand_from {}' -l {} -d {}\n",
                              verb->get_name(), name, quoted_for_fish(option->get_description()));
  }
  return script;
}

}  // namespace

void add_shell_completion(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  CLI::App& verb = *command.add_subcommand("completion", "Print a completion script for a shell");
  verb.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb.footer("Example:\n  source <(tulle completion bash)");
  verb.callback([shell, &command] {
    fmt::print("{}", *shell == "bash" ? bash(command) : *shell == "zsh" ? zsh(command) : fish(command));
  });
}

}  // namespace tulle::cli
