#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/method/settings.hpp>
#include <tulle/method/terms.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr Names<NoiseKind, 6> kNoises = {{{NoiseKind::laplace, "laplace"},
                                          {NoiseKind::staircase, "staircase"},
                                          {NoiseKind::discrete_laplace, "discrete-laplace"},
                                          {NoiseKind::gaussian, "gaussian"},
                                          {NoiseKind::duchi, "duchi"},
                                          {NoiseKind::piecewise, "piecewise"}}};

constexpr Names<SgldRule, 6> kSgldRules = {{{SgldRule::li_decreasing, "li-decreasing"},
                                            {SgldRule::li_fixed, "li-fixed"},
                                            {SgldRule::wang_noise, "wang-noise"},
                                            {SgldRule::wang_step, "wang-step"},
                                            {SgldRule::advanced, "advanced"},
                                            {SgldRule::zcdp, "zcdp"}}};

constexpr Names<Protection, 2> kProtections = {{{Protection::all, "all"}, {Protection::shared, "shared"}}};

constexpr Names<CountPosterior, 2> kCountPosteriors = {
    {{CountPosterior::gibbs, "gibbs"}, {CountPosterior::vb, "vb"}}};

template <class List>
std::string list_of(const List& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string_view> names_of(std::span<const NoiseKind> noises) {
  std::vector<std::string_view> names;
  for (NoiseKind noise : noises) names.push_back(name(noise));
  return names;
}

template <class Names>
std::string list_of_names(const Names& named) {
  std::vector<std::string_view> names;
  for (const auto& each : named) names.push_back(each.second);
  return list_of(names);
}

std::string text_of(const SettingValue& value) {
  if (const auto* noise = std::get_if<NoiseKind>(&value)) return std::string(name(*noise));
  if (const auto* rule = std::get_if<SgldRule>(&value)) return std::string(name(*rule));
  if (const auto* protection = std::get_if<Protection>(&value)) return std::string(name(*protection));
  if (const auto* posterior = std::get_if<CountPosterior>(&value)) return std::string(name(*posterior));
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return fmt::format("{}", std::get<int>(value));
}

std::string_view text_of(Calibration form) {
  return form == Calibration::sound ? "sound" : "published";
}

MethodSetting in_form_alone(MethodSetting setting, Calibration form) {
  setting.form = form;
  setting.otherwise = fmt::format("{} form: {}", text_of(form), setting.otherwise);
  return setting;
}

template <class T>
T number_in(std::string_view setting, std::string_view text) {
  const std::optional<T> value = parse_number<T>(text);
  if (!value)
    fail_usage("{} '{}': give {}", setting, text, std::is_same_v<T, int> ? "a whole number" : "a number");
  return *value;
}

}  // namespace

std::string_view name(NoiseKind kind) {
  return name_in(kNoises, kind);
}

NoiseKind noise_of(std::string_view name) {
  return find_named(kNoises, name, "noise");
}

std::string_view name(SgldRule rule) {
  return name_in(kSgldRules, rule);
}

SgldRule sgld_rule_of(std::string_view name) {
  return find_named(kSgldRules, name, "rule");
}

std::string_view name(Protection protection) {
  return name_in(kProtections, protection);
}

Protection protection_of(std::string_view name) {
  return find_named(kProtections, name, "protection");
}

std::string_view name(CountPosterior posterior) {
  return name_in(kCountPosteriors, posterior);
}

CountPosterior count_posterior_of(std::string_view name) {
  return find_named(kCountPosteriors, name, "posterior");
}

bool Limits::allow(double value) const {
  return value >= least && (value > above || std::isinf(above)) && value <= most &&
         (value < below || std::isinf(below));
}

std::string Limits::text() const {
  std::vector<std::string> parts;
  if (!std::isinf(least)) parts.push_back(fmt::format("at least {}", least));
  if (!std::isinf(above)) parts.push_back(fmt::format("more than {}", above));
  if (!std::isinf(most)) parts.push_back(fmt::format("at most {}", most));
  if (!std::isinf(below)) parts.push_back(fmt::format("less than {}", below));
  return list_of(parts);
}

MethodSetting takes_noise(std::span<const NoiseKind> noises, std::string otherwise) {
  MethodSetting setting = takes(setting::noise, std::move(otherwise));
  setting.noises.assign(noises.begin(), noises.end());
  return setting;
}

MethodSetting as_published(MethodSetting setting) {
  return in_form_alone(std::move(setting), Calibration::published);
}

MethodSetting in_sound_form(MethodSetting setting) {
  return in_form_alone(std::move(setting), Calibration::sound);
}

MethodSetting for_users(MethodSetting setting) {
  setting.unit = Unit::user;
  setting.otherwise = fmt::format("unit {}: {}", name(Unit::user), setting.otherwise);
  return setting;
}

bool MethodSetting::is_read(Calibration by, Unit of) const {
  return form.value_or(by) == by && unit.value_or(of) == of;
}

std::string MethodSetting::values() const {
  if (std::holds_alternative<NoiseKind>(type)) return list_of(names_of(noises));
  if (std::holds_alternative<SgldRule>(type)) return list_of_names(kSgldRules);
  if (std::holds_alternative<Protection>(type)) return list_of_names(kProtections);
  if (std::holds_alternative<CountPosterior>(type)) return list_of_names(kCountPosteriors);
  const std::string kind = std::holds_alternative<int>(type) ? "a whole number" : "a number";
  const std::string range = limits.text();
  return range.empty() ? kind : kind + ", " + range;
}

void MethodSetting::check(std::string_view method, const SettingValue& value) const {
  bool allowed = true;
  if (const auto* noise = std::get_if<NoiseKind>(&value))
    allowed = std::ranges::find(noises, *noise) != noises.end();
  else if (const auto* whole = std::get_if<int>(&value))
    allowed = limits.allow(*whole);
  else if (const auto* number = std::get_if<double>(&value))
    allowed = limits.allow(*number);
  if (!allowed) fail_usage("{} {}: method {} takes {}", name, text_of(value), method, values());
}

void Settings::parse(const MethodSetting& setting, std::string_view text) {
  SettingValue& value = values_[setting.name];
  if (std::holds_alternative<NoiseKind>(setting.type))
    value = noise_of(text);
  else if (std::holds_alternative<SgldRule>(setting.type))
    value = sgld_rule_of(text);
  else if (std::holds_alternative<Protection>(setting.type))
    value = protection_of(text);
  else if (std::holds_alternative<CountPosterior>(setting.type))
    value = count_posterior_of(text);
  else if (std::holds_alternative<int>(setting.type))
    value = number_in<int>(setting.name, text);
  else
    value = number_in<double>(setting.name, text);
}

void Settings::check(std::string_view method, std::span<const MethodSetting> taken, Calibration form,
                     Unit unit) const {
  for (const auto& [given, value] : values_) {
    const auto found = std::ranges::find(taken, given, &MethodSetting::name);
    if (found == taken.end()) {
      std::vector<std::string_view> names;
      for (const MethodSetting& setting : taken) names.push_back(setting.name);
      fail_usage("method {} takes no {}; {}", method, given,
                 names.empty() ? "omit it" : "it takes: " + list_of(names));
    }
    if (found->form.value_or(form) != form)
      fail_usage("{} is for the {} form of {}; omit it", given, text_of(*found->form), method);
    if (found->unit.value_or(unit) != unit)
      fail_usage("{} is for unit {}; omit it", given, name(*found->unit));
    found->check(method, value);
  }
}

std::string Settings::text() const {
  std::vector<std::string> parts;
  for (const auto& [given, value] : values_) parts.push_back(fmt::format("{} {}", given, text_of(value)));
  return list_of(parts);
}

}  // namespace tulle
