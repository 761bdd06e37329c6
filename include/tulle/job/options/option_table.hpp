// The options of a job, declared once: an id, a type, a default, a meaning, and what a value must be. The
// command makes flags of them, Python keywords; both give values, and the same values are refused.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// A value as a door has it. Words of a command line are texts, whatever the option takes.
struct OptionValue {
  std::variant<bool, std::int64_t, double, std::string, std::vector<OptionValue>> held;
};

class Option {
 public:
  // Sets the variable of the option; a UsageError where the value is none of its type.
  using Take = std::function<void(const OptionValue&)>;

  Option(std::string id, std::string type, Take take, std::string_view meaning);

  Option& required();
  Option& group(std::string heading);  // in a list of options
  Option& one_of(std::vector<std::string> values);
  Option& positive();
  Option& between(double low, double high);
  Option& show_default();  // the variable's value before any was given
  Option& show_default(OptionValue value);
  Option& repeats();              // may be given several times, a value each time
  Option& joined_by(char joint);  // how a text has the parts of a value that is a list [,]

  const std::string& id() const { return id_; }
  const std::string& type() const { return type_; }        // "FLOAT"; "" of a flag
  const std::string& meaning() const { return meaning_; }  // with options marked (base/spelling.hpp)
  const std::string& heading() const { return heading_; }
  const std::vector<std::string>& choices() const { return choices_; }
  const std::optional<OptionValue>& otherwise() const {
    return otherwise_;
  }  // the default, where it is shown
  bool is_flag() const { return type_.empty(); }
  bool is_required() const { return required_; }
  bool may_repeat() const { return repeats_; }

  void take(const OptionValue& value);

 private:
  friend class OptionTable;
  void check_bounds(double number) const;

  std::string id_, type_, meaning_, heading_;
  Take take_;
  std::vector<std::string> choices_;
  std::optional<OptionValue> initial_, otherwise_;
  std::optional<std::pair<double, double>> bounds_;
  bool required_ = false, positive_ = false, repeats_ = false, given_ = false;
  char joint_ = ',';
  std::set<std::string>* record_ = nullptr;
};

class OptionTable {
 public:
  // Variables: bool (a flag), int, uint64, double, string, optional ones of these, and a vector of strings,
  // one for each time that the option is given.
  template <class Value>
  Option& add(std::string id, Value& variable, std::string_view meaning);
  // A value of another type, from its text: relation_of, Shape::parse.
  template <class Value, class Parse>
  Option& add(std::string id, Value& variable, const Parse& parse, std::string_view meaning) {
    return add_text(
        std::move(id), [&variable, parse](const std::string& text) { variable = parse(text); }, meaning);
  }
  template <class Value>
  Option& add_function(std::string id, std::function<void(Value)> take, std::string_view meaning);
  Option& add_text(std::string id, std::function<void(const std::string&)> take, std::string_view meaning);

  const std::deque<Option>& options() const { return options_; }
  std::deque<Option>& options() { return options_; }
  Option* find(std::string_view id);

  // The ids of all options that `declare` adds; those that are given go into `given`.
  std::vector<std::string> recorded(const std::function<void()>& declare, std::set<std::string>& given);

  // Values by the ids of their options. A UsageError where a required option has none.
  void take(const std::map<std::string, OptionValue>& values);

 private:
  Option& added(std::string id, std::string type, Option::Take take, std::string_view meaning,
                std::optional<OptionValue> initial);

  std::deque<Option> options_;  // references stay valid
};

// Options of a job that runs in several ways, by what they are for: an option that plays no part in the way
// that was chosen is refused, by whether it was given and not by its value. All options that are declared
// together are for the same use, so that none is forgotten.
class OptionUses {
 public:
  void declare(OptionTable& table, const std::string& use, const std::function<void()>& options);
  // A UsageError that names an option for this use that was given, with the reason behind it.
  void refuse(const std::string& use, std::string_view reason) const;
  bool given(const std::string& id) const { return given_.contains(id); }

 private:
  std::map<std::string, std::vector<std::string>> by_use_;
  std::set<std::string> given_;
};

// Options by their ids, and whether they were given.
using GivenOptions = std::initializer_list<std::pair<std::string_view, bool>>;
// A UsageError that names the first one that was given, with the reason behind it.
void refuse_given(GivenOptions options, std::string_view reason);

}  // namespace tulle

#pragma GCC visibility pop
