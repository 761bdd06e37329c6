#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/job/options/option_table.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace tulle {
namespace {

// ---- Conversion of values to the type of an option ----

// A value as text, with its parts joined.
std::string text_of(const OptionValue& value, char joint) {
  if (const auto* is_set = std::get_if<bool>(&value.held)) return *is_set ? "yes" : "no";
  if (const auto* whole = std::get_if<std::int64_t>(&value.held)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value.held)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value.held)) return *text;
  std::vector<std::string> parts;
  for (const OptionValue& part : std::get<std::vector<OptionValue>>(value.held))
    parts.push_back(text_of(part, joint));
  return fmt::format("{}", fmt::join(parts, std::string(1, joint)));
}

[[noreturn]] void fail_type(std::string_view id, const OptionValue& value, std::string_view wanted) {
  const auto* is_set = std::get_if<bool>(&value.held);
  fail_usage("{}: {} is not {}", option_name(id), is_set ? (*is_set ? "true" : "false") : text_of(value, ','),
             wanted);
}

template <class Number>
constexpr std::string_view kWanted = "a number";
template <>
inline constexpr std::string_view kWanted<int> = "a whole number below 2^31";
template <>
inline constexpr std::string_view kWanted<std::uint64_t> = "a whole number from 0 to 2^64 - 1";

// Numbers without a fraction are whole numbers, whatever their type.
template <class Number>
std::optional<Number> as_number(const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value.held)) {
    if constexpr (std::is_floating_point_v<Number>) return *number;
    constexpr double kExact = 9007199254740992;  // 2^53
    if (*number != std::floor(*number) || std::abs(*number) > kExact) return std::nullopt;
    return as_number<Number>(OptionValue{static_cast<std::int64_t>(*number)});
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value.held)) {
    if constexpr (std::is_integral_v<Number>)
      if (!std::in_range<Number>(*whole)) return std::nullopt;
    return static_cast<Number>(*whole);
  }
  const auto* text = std::get_if<std::string>(&value.held);
  if (!text) return std::nullopt;
  const std::string_view digits(*text);
  const bool signed_plus = digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+';
  return parse_number<Number>(signed_plus ? digits.substr(1) : digits);
}

template <class Number>
Number number_of(std::string_view id, const OptionValue& value) {
  const auto number = as_number<Number>(value);
  if (!number) fail_type(id, value, kWanted<Number>);
  return *number;
}

template <class T>
struct Inner {
  using type = T;
};
template <class T>
struct Inner<std::optional<T>> {
  using type = T;
};

template <class Value>
std::string type_name() {
  using T = typename Inner<Value>::type;
  if constexpr (std::is_same_v<T, bool>)
    return "";
  else if constexpr (std::is_same_v<T, int>)
    return "INT";
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return "UINT";
  else if constexpr (std::is_same_v<T, double>)
    return "FLOAT";
  else
    return "TEXT";
}

// The value of a variable in the form in which a default is shown.
template <class Value>
std::optional<OptionValue> shown(const Value& variable) {
  if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, std::uint64_t>)
    return OptionValue{static_cast<std::int64_t>(variable)};
  else if constexpr (std::is_same_v<Value, double> || std::is_same_v<Value, bool>)
    return OptionValue{variable};
  else if constexpr (std::is_same_v<Value, std::string>)
    return OptionValue{variable};
  else
    return std::nullopt;
}

}  // namespace

// ---- One option ----

Option::Option(std::string id, std::string type, Take take, std::string_view meaning)
    : id_(std::move(id)), type_(std::move(type)), meaning_(with_marks(meaning)), take_(std::move(take)) {}

Option& Option::required() {
  required_ = true;
  return *this;
}

Option& Option::group(std::string heading) {
  heading_ = std::move(heading);
  return *this;
}

Option& Option::one_of(std::vector<std::string> values) {
  choices_ = std::move(values);
  return *this;
}

Option& Option::positive() {
  positive_ = true;
  return *this;
}

Option& Option::between(double low, double high) {
  bounds_ = {low, high};
  return *this;
}

Option& Option::show_default() {
  otherwise_ = initial_;
  return *this;
}

Option& Option::show_default(OptionValue value) {
  otherwise_ = std::move(value);
  return *this;
}

Option& Option::repeats() {
  repeats_ = true;
  return *this;
}

Option& Option::joined_by(char joint) {
  joint_ = joint;
  return *this;
}

void Option::check_bounds(double number) const {
  if (positive_ && !(number > 0)) fail_usage("{}: {} is not a number above 0", option_name(id_), number);
  if (bounds_ && !(number >= bounds_->first && number <= bounds_->second))
    fail_usage("{}: {} is not a number from {} to {}", option_name(id_), number, bounds_->first,
               bounds_->second);
}

void Option::take(const OptionValue& value) {
  const auto* several = repeats_ ? std::get_if<std::vector<OptionValue>>(&value.held) : nullptr;
  if (several) {
    for (const OptionValue& each : *several) take(each);
    return;
  }
  const bool is_list = std::holds_alternative<std::vector<OptionValue>>(value.held);
  const OptionValue one = is_list ? OptionValue{text_of(value, joint_)} : value;
  const std::string text = text_of(one, joint_);
  if (text.empty()) fail_usage("{} is empty; give a value, or leave it out", option_name(id_));
  if (!choices_.empty() && std::ranges::find(choices_, text) == choices_.end())
    fail_usage("{}: there is no '{}'{}; choose {}", option_name(id_), text, suggestion(text, choices_),
               fmt::join(choices_, ", "));
  if (const auto number = parse_number<double>(text)) check_bounds(*number);
  take_(one);
  const auto* is_set = std::get_if<bool>(&one.held);
  given_ = !(is_flag() && is_set && !*is_set);  // a flag that is switched off counts as not given
  if (record_ && given_) record_->insert(id_);
}

// ---- All of them ----

Option& OptionTable::added(std::string id, std::string type, Option::Take take, std::string_view meaning,
                           std::optional<OptionValue> initial) {
  options_.emplace_back(std::move(id), std::move(type), std::move(take), meaning);
  options_.back().initial_ = std::move(initial);
  return options_.back();
}

template <class Value>
Option& OptionTable::add(std::string id, Value& variable, std::string_view meaning) {
  using T = typename Inner<Value>::type;
  const auto take = [&variable, id](const OptionValue& value) {
    if constexpr (std::is_same_v<T, bool>) {
      const auto* is_set = std::get_if<bool>(&value.held);
      if (!is_set) fail_usage("{} is {}; it must be true or false", option_name(id), text_of(value, ','));
      variable = *is_set;
    } else if constexpr (std::is_arithmetic_v<T>) {
      variable = number_of<T>(id, value);
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      variable.push_back(text_of(value, ','));
    } else {
      variable = text_of(value, ',');
    }
  };
  return added(id, type_name<Value>(), take, meaning, shown(variable));
}

template Option& OptionTable::add(std::string, bool&, std::string_view);
template Option& OptionTable::add(std::string, int&, std::string_view);
template Option& OptionTable::add(std::string, std::uint64_t&, std::string_view);
template Option& OptionTable::add(std::string, double&, std::string_view);
template Option& OptionTable::add(std::string, std::string&, std::string_view);
template Option& OptionTable::add(std::string, std::optional<int>&, std::string_view);
template Option& OptionTable::add(std::string, std::optional<std::uint64_t>&, std::string_view);
template Option& OptionTable::add(std::string, std::optional<double>&, std::string_view);
template Option& OptionTable::add(std::string, std::vector<std::string>&, std::string_view);

template <class Value>
Option& OptionTable::add_function(std::string id, std::function<void(Value)> take, std::string_view meaning) {
  const auto take_value = [id, take = std::move(take)](const OptionValue& value) {
    take(number_of<Value>(id, value));
  };
  return added(id, type_name<Value>(), take_value, meaning, std::nullopt);
}

template Option& OptionTable::add_function(std::string, std::function<void(int)>, std::string_view);

Option& OptionTable::add_text(std::string id, std::function<void(const std::string&)> take,
                              std::string_view meaning) {
  return added(
      std::move(id), "TEXT",
      [take = std::move(take)](const OptionValue& value) { take(text_of(value, ',')); }, meaning,
      std::nullopt);
}

Option* OptionTable::find(std::string_view id) {
  const auto found = std::ranges::find(options_, id, &Option::id);
  return found == options_.end() ? nullptr : &*found;
}

void OptionTable::mark_everyday(std::initializer_list<std::string_view> ids) {
  for (const std::string_view id : ids) find(id)->everyday_ = true;
}

std::vector<std::string> OptionTable::recorded(const std::function<void()>& declare,
                                               std::set<std::string>& given) {
  const std::size_t before = options_.size();
  declare();
  std::vector<std::string> ids;
  for (std::size_t number = before; number < options_.size(); ++number) {
    options_[number].record_ = &given;
    ids.push_back(options_[number].id_);
  }
  return ids;
}

void OptionTable::take(const std::map<std::string, OptionValue>& values) {
  for (const auto& [id, value] : values) {
    Option* const option = find(id);
    if (!option) fail_usage("there is no option {}", option_name(id));
    option->take(value);
  }
  for (const Option& option : options_)
    if (option.required_ && !option.given_) fail_usage("{} is required", option_name(option.id_));
}

void OptionUses::declare(OptionTable& table, const std::string& use, const std::function<void()>& options) {
  std::vector<std::string>& ids = by_use_[use];
  const std::vector<std::string> declared = table.recorded(options, given_);
  ids.insert(ids.end(), declared.begin(), declared.end());
}

void OptionUses::refuse(const std::string& use, std::string_view reason) const {
  const auto found = by_use_.find(use);
  if (found == by_use_.end()) return;
  for (const std::string& id : found->second)
    if (given(id)) fail_usage("{} {}", option_name(id), with_marks(reason));
}

void refuse_given(GivenOptions options, std::string_view reason) {
  for (const auto& [id, is_given] : options)
    if (is_given) fail_usage("{} {}", option_name(id), with_marks(reason));
}

}  // namespace tulle
