#include "parser/verb.hpp"

#include <tulle/base/parse.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <optional>
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
  option_->check(CLI::IsMember(values));
  return *this;
}

Option& Option::positive() {
  option_->check([](const std::string& text) {
    const auto number = parse_number<double>(text);
    return number && *number > 0 ? std::string() : fmt::format("{} is not a number above 0", text);
  });
  return *this;
}

Option& Option::between(double low, double high) {
  option_->check([low, high](const std::string& text) {
    const auto number = parse_number<double>(text);
    return number && *number >= low && *number <= high
               ? std::string()
               : fmt::format("{} is not a number from {} to {}", text, low, high);
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

Verb Verb::add_verb(const std::string& name, const std::string& meaning) {
  return Verb(*parser_->add_subcommand(name, meaning));
}

namespace {

// The parser takes -1, and numbers that are too large, for the largest number there is.
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

std::vector<std::string> Verb::recorded(const std::function<void()>& declare, std::set<std::string>& given) {
  const std::size_t before = parser_->get_options().size();
  declare();
  std::vector<std::string> names;
  const std::vector<CLI::Option*> all = parser_->get_options();
  for (std::size_t number = before; number < all.size(); ++number) {
    const std::string name = all[number]->get_name();
    all[number]->each([name, &given](const std::string&) { given.insert(name); });
    names.push_back(name);
  }
  return names;
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
