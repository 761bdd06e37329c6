// The options of a job, declared once: an id, a type, a default, a meaning, and the values allowed. The
// command turns them into flags, Python into keywords; both pass values, and the same values are refused.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
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

// A value as a door passes it. Words of a command line are texts, whatever the type of the option.
struct OptionValue {
  std::variant<bool, std::int64_t, double, std::string, std::vector<OptionValue>> held;
};

class Option {
 public:
  // Sets the variable of the option; a UsageError if the value has another type.
  using Take = std::function<void(const OptionValue&)>;

  Option(std::string id, std::string type, Take take, std::string_view meaning);

  Option& required();
  Option& group(std::string heading);  // its heading in a list of options
  Option& one_of(std::vector<std::string> values);
  Option& positive();
  Option& between(double low, double high);
  Option& show_default();  // the variable's initial value
  Option& show_default(OptionValue value);
  Option& repeats();              // may be given several times, with one value each time
  Option& joined_by(char joint);  // the separator of list values in a text [,]

  const std::string& id() const { return id_; }
  const std::string& type() const { return type_; }        // "FLOAT"; "" of a flag
  const std::string& meaning() const { return meaning_; }  // with options marked (base/spelling.hpp)
  const std::string& heading() const { return heading_; }
  const std::vector<std::string>& choices() const { return choices_; }
  const std::optional<OptionValue>& otherwise() const { return otherwise_; }  // the default, if it is shown
  bool is_flag() const { return type_.empty(); }
  bool is_required() const { return required_; }
  bool may_repeat() const { return repeats_; }
  bool is_everyday() const { return everyday_; }

  void take(const OptionValue& value);

 private:
  friend class OptionTable;
  void check_bounds(double number) const;

  std::string id_, type_, meaning_, heading_;
  Take take_;
  std::vector<std::string> choices_;
  std::optional<OptionValue> initial_, otherwise_;
  std::optional<std::pair<double, double>> bounds_;
  bool required_ = false, positive_ = false, repeats_ = false, given_ = false, everyday_ = false;
  char joint_ = ',';
  std::set<std::string>* record_ = nullptr;
};

class OptionTable {
 public:
  // Variables: bool (a flag), int, uint64, double, string, optional ones of these, and a vector of strings,
  // which receives one string each time the option is given.
  template <class Value>
  Option& add(std::string id, Value& variable, std::string_view meaning);
  // A value of another type, parsed from its text: relation_of, Shape::parse.
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
  // The options that everyone needs, which a short help shows.
  void mark_everyday(std::initializer_list<std::string_view> ids);

  // Returns the ids of all options that `declare` adds; those that are given are recorded in `given`.
  std::vector<std::string> recorded(const std::function<void()>& declare, std::set<std::string>& given);

  // Takes values by the ids of their options. A UsageError if a required option has none.
  void take(const std::map<std::string, OptionValue>& values);

 private:
  Option& added(std::string id, std::string type, Option::Take take, std::string_view meaning,
                std::optional<OptionValue> initial);

  std::deque<Option> options_;  // references stay valid
};

// Groups the options of a job that runs in several ways by their use: an option without effect in the chosen
// way is refused if it was given, whatever its value. All options declared together have the same use, so
// that none is forgotten.
class OptionUses {
 public:
  void declare(OptionTable& table, const std::string& use, const std::function<void()>& options);
  // A UsageError, followed by the reason, that names an option for this use that was given.
  void refuse(const std::string& use, std::string_view reason) const;
  bool given(const std::string& id) const { return given_.contains(id); }

 private:
  std::map<std::string, std::vector<std::string>> by_use_;
  std::set<std::string> given_;
};

// Options by id, and whether they were given.
using GivenOptions = std::initializer_list<std::pair<std::string_view, bool>>;
// A UsageError, followed by the reason, that names the first option that was given.
void refuse_given(GivenOptions options, std::string_view reason);

}  // namespace tulle

#pragma GCC visibility pop
