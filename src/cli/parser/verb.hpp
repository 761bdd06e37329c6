// A verb of the command and its options. The parser's own headers take seconds to compile, so only the
// sources of this folder include them.
#pragma once

#include <tulle/job/options/option_table.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tulle::cli {

class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  Option& group(const std::string& heading);  // in the help
  Option& one_of(const std::vector<std::string>& values);
  Option& positive();
  Option& show_default();  // the variable's value before parsing
  Option& show_default(const std::string& text);
  Option& one_value_each_time();  // of a list: the option is repeated for every value

 private:
  CLI::Option* option_;
};

class Verb {
 public:
  explicit Verb(CLI::App& parser) : parser_(&parser) {}

  Verb add_verb(const std::string& name, const std::string& meaning);

  // `names` such as "-o,--output", or "FILE" for an argument without a flag. Variables may be strings,
  // numbers, optional numbers and vectors of strings.
  template <class Value>
  Option add_option(const std::string& names, Value& variable, const std::string& meaning);
  Option add_flag(const std::string& names, bool& variable, const std::string& meaning);
  // take() is called while parsing.
  template <class Value>
  Option add_option_function(const std::string& names, const std::function<void(const Value&)>& take,
                             const std::string& meaning);

  // The options of a job, with a flag for each id. `names` has the exceptions: "-o,--output", or "TRAIN" for
  // an argument without a flag. If some are marked as everyday ones, --help leaves the others to --help-all.
  void add_options(const std::function<void(OptionTable&)>& declare,
                   const std::map<std::string, std::string>& names = {});

  void footer(const std::string& text);
  void callback(std::function<void()> run);
  void needs_a_verb();

  CLI::App& parser() const { return *parser_; }

 private:
  CLI::App* parser_;
};

}  // namespace tulle::cli
