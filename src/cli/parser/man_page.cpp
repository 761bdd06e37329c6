// tulle man: the manual page, made from the parser's own help.
#include "verbs.hpp"

#include <CLI/CLI.hpp>

namespace tulle::cli {
namespace {

// Escapes backslashes, hyphens and leading dots, which are special in roff.
std::string roff(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += fmt::format("\\&{}", c);
    else
      result += c;
  }
  return result;
}

std::string option_entry(const CLI::Option& option) {
  const std::string name = option.get_positional() && option.get_lnames().empty()
                               ? option.get_name(true)
                               : option.get_name(false, true);
  const std::string value = option.get_positional() || option.get_items_expected_max() == 0
                                ? ""
                                : " \\fI" + roff(option.get_type_name()) + "\\fR";
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), value, roff(option.get_description()));
}

// The section of a verb and of its own verbs, under their full names.
std::string verb_section(const CLI::App& verb, const std::string& above) {
  const std::string name = above + verb.get_name();
  std::string text = fmt::format(".SS {}\n{}\n", roff(name), roff(verb.get_description()));
  for (const CLI::Option* option : verb.get_options()) text += option_entry(*option);
  const std::string footer = verb.get_footer();
  if (!footer.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(footer));
  for (const CLI::App* below : verb.get_subcommands([](const CLI::App*) { return true; }))
    text += verb_section(*below, name + " ");
  return text;
}

std::string page(const CLI::App& command) {
  std::string text = fmt::format(
      ".TH TULLE 1 \"\" \"tulle {}\" \"User Commands\"\n.SH NAME\ntulle \\- {}\n"
      ".SH SYNOPSIS\n\\fBtulle\\fR \\fIVERB\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{}\n.SH VERBS\n",
      TULLE_VERSION, roff("learns low-rank structure from multiway data"), roff(command.get_description()));
  for (const CLI::App* verb : command.get_subcommands([](const CLI::App*) { return true; }))
    text += verb_section(*verb, "");
  return text +
         ".SH EXIT STATUS\n0 when all went well, 1 for bad input or a failure, 2 for wrong use, 3 when an "
         "audit "
         "finds a violation.\n.SH ENVIRONMENT\n.TP\n\\fBTULLE_LEDGER\\fR\nThe ledger to use if none is "
         "named.\n"
         ".TP\n\\fBTULLE_DATA\\fR\nThe folder of the data sets of experiments.\n";
}

}  // namespace

void add_man_page(Verb& command) {
  Verb verb = command.add_verb("man", "Print the manual page (roff)");
  verb.footer("Example:\n  tulle man | man -l -");
  verb.callback([&parser = command.parser()] { fmt::print("{}", page(parser)); });
}

}  // namespace tulle::cli
