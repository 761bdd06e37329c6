#include "parser/keywords.hpp"

#include "parser/explain.hpp"

#include <tulle/base/error.hpp>

#include <CLI/CLI.hpp>

namespace tulle::cli {
namespace {

OptionDescription description_of(const CLI::Option& option) {
  return {.name = option.get_single_name(),
          .meaning = option.get_description(),
          .otherwise = option.get_default_str(),
          .type = option.get_type_name(),
          .flag = option.get_expected_max() == 0,
          .repeats = option.get_expected_max() > 1};
}

}  // namespace

Keywords::Keywords(const std::string& verb, const std::function<void(Verb&)>& declare)
    : parser_(std::make_unique<CLI::App>("", verb)) {
  Verb declared(*parser_);
  declare(declared);
}

Keywords::~Keywords() = default;

std::vector<OptionDescription> Keywords::descriptions() const {
  std::vector<OptionDescription> all;
  for (const CLI::Option* option : parser_->get_options())
    if (option != parser_->get_help_ptr()) all.push_back(description_of(*option));
  return all;
}

void Keywords::parse(const std::vector<std::string>& words) {
  std::vector<const char*> pointers = {""};
  for (const std::string& word : words) pointers.push_back(word.c_str());
  refuse_empty_values(std::span(pointers).subspan(1));
  try {
    parser_->parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(*parser_, error, std::span(pointers).subspan(1)));
  }
}

std::string Keywords::explained(const std::string& message) const {
  return with_option(*parser_, message);
}

}  // namespace tulle::cli
