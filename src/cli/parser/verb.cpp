#include "parser/verb.hpp"

#include "parser/explain.hpp"

#include <tulle/base/parse.hpp>
#include <tulle/base/spelling.hpp>
#include <tulle/base/suggestion.hpp>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <type_traits>

namespace tulle::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& values) {
  const auto fault = [values](const std::string& text) {
    const bool known = std::ranges::find(values, text) != values.end();
    return known ? std::string()
                 : fmt::format("there is no '{}'{}; choose {}", text, suggestion(text, values),
                               fmt::join(values, ", "));
  };
  option_->check(CLI::Validator(fault, fmt::format("{{{}}}", fmt::join(values, ","))));
  return *this;
}

Option& Option::positive() {
  option_->check([](const std::string& text) {
    const auto number = parse_number<double>(text);
    return number && *number > 0 ? std::string() : fmt::format("{} is not a number above 0", text);
  });
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::show_default(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option& Option::one_value_each_time() {
  option_->allow_extra_args(false);
  return *this;
}

namespace {

std::string shown_value(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value.held)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value.held)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value.held)) return fmt::format("{}", *number);
  return "";
}

// Help without the options that few need.
class ShortHelp : public CLI::Formatter {
 public:
  ShortHelp(std::string all, std::size_t width, std::set<const CLI::Option*> rare)
      : all_(std::move(all)), rare_(std::move(rare)) {
    column_width(width);
  }

  std::string make_help(const CLI::App* verb, std::string name, CLI::AppFormatMode mode) const override {
    if (mode != CLI::AppFormatMode::Normal) return CLI::Formatter::make_help(verb, std::move(name), mode);
    const auto shown = verb->get_options(
        [this](const CLI::Option* option) { return option->nonpositional() && !rare_.contains(option); });
    return fmt::format("{}{}{}{}\n{} more options: {}\n\n{}", make_description(verb),
                       make_usage(verb, std::move(name)), make_positionals(verb),
                       make_group("Options", false, shown), rare_.size(), all_, make_footer(verb));
  }

 private:
  std::string all_;  // how to see all
  std::set<const CLI::Option*> rare_;
};

// The table outlives the parser's options, which refer to it.
CLI::Option* add_option_of(const std::shared_ptr<OptionTable>& table, tulle::Option& option,
                           const std::string& names, CLI::App& parser) {
  const std::string meaning =
      spelled(option.meaning(), {.write = flag_of, .has = [](std::string_view) { return true; }});
  CLI::Option* added = nullptr;
  if (option.is_flag()) {
    added = parser.add_flag_function(
        names, [table, &option](std::int64_t count) { option.take({count > 0}); }, meaning);
  } else if (option.may_repeat()) {
    const auto take = [table, &option](const std::vector<std::string>& texts) {
      for (const std::string& text : texts) option.take({text});
    };
    added =
        parser.add_option_function<std::vector<std::string>>(names, take, meaning)->allow_extra_args(false);
  } else {
    added = parser.add_option_function<std::string>(
        names, [table, &option](const std::string& text) { option.take({text}); }, meaning);
  }
  if (!option.is_flag()) {
    const std::string choices =
        option.choices().empty() ? "" : fmt::format(":{{{}}}", fmt::join(option.choices(), ","));
    added->type_name(option.type() + choices);
  }
  if (!option.heading().empty()) added->group(option.heading());
  if (option.otherwise()) added->default_str(shown_value(*option.otherwise()));
  if (option.is_required()) added->required();
  return added;
}

}  // namespace

Verb Verb::add_verb(const std::string& name, const std::string& meaning) {
  return Verb(*parser_->add_subcommand(name, meaning));
}

namespace {

// The parser reads -1, and too large numbers, as the largest number.
std::string fault_of_whole_number(const std::string& text) {
  return parse_number<std::uint64_t>(text) ? std::string()
                                           : fmt::format("{} is not a whole number from 0 to 2^64 - 1", text);
}

}  // namespace

template <class Value>
Option Verb::add_option(const std::string& names, Value& variable, const std::string& meaning) {
  CLI::Option* const option = parser_->add_option(names, variable, meaning);
  if constexpr (std::is_same_v<Value, std::uint64_t> || std::is_same_v<Value, std::optional<std::uint64_t>>)
    option->check(fault_of_whole_number);
  return Option(*option);
}

template Option Verb::add_option(const std::string&, std::string&, const std::string&);
template Option Verb::add_option(const std::string&, int&, const std::string&);
template Option Verb::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Verb::add_option(const std::string&, double&, const std::string&);
template Option Verb::add_option(const std::string&, std::optional<int>&, const std::string&);
template Option Verb::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Option Verb::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Verb::add_option(const std::string&, std::vector<std::string>&, const std::string&);

Option Verb::add_flag(const std::string& names, bool& variable, const std::string& meaning) {
  return Option(*parser_->add_flag(names, variable, meaning));
}

template <class Value>
Option Verb::add_option_function(const std::string& names, const std::function<void(const Value&)>& take,
                                 const std::string& meaning) {
  return Option(*parser_->add_option_function<Value>(names, take, meaning));
}

template Option Verb::add_option_function(const std::string&, const std::function<void(const std::string&)>&,
                                          const std::string&);
template Option Verb::add_option_function(const std::string&, const std::function<void(const int&)>&,
                                          const std::string&);

void Verb::add_options(const std::function<void(OptionTable&)>& declare,
                       const std::map<std::string, std::string>& names) {
  const auto table = std::make_shared<OptionTable>();
  declare(*table);
  std::set<const CLI::Option*> rare;
  for (tulle::Option& option : table->options()) {
    const auto name = names.find(option.id());
    const CLI::Option* const added =
        add_option_of(table, option, name == names.end() ? flag_of(option.id()) : name->second, *parser_);
    if (!option.is_everyday() && added->nonpositional()) rare.insert(added);
  }
  if (std::ranges::none_of(table->options(), &tulle::Option::is_everyday)) return;
  parser_->set_help_all_flag("--help-all", "Print all options, by group");
  parser_->formatter(std::make_shared<ShortHelp>(fmt::format("tulle {} --help-all", parser_->get_name()),
                                                 parser_->get_formatter()->get_column_width(),
                                                 std::move(rare)));
}

void Verb::footer(const std::string& text) {
  parser_->footer(text);
}

void Verb::callback(std::function<void()> run) {
  parser_->callback(std::move(run));
}

void Verb::needs_a_verb() {
  parser_->require_subcommand(1);
}

}  // namespace tulle::cli
