// Settings of single methods. Each is declared once, with its type and its meaning; a method lists those that
// it takes, with its own default and limits, and from that list come its flags, its help, its documentation
// and the refusal of anything else.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

enum class Calibration;
enum class Unit;

enum class NoiseKind { laplace, staircase, discrete_laplace, gaussian, duchi, piecewise };
std::string_view name(NoiseKind kind);
NoiseKind noise_of(std::string_view name);  // a UsageError that lists the names when there is none

// How the published form of dp-sgld gets from a budget to its noise.
enum class SgldRule { li_decreasing, li_fixed, wang_noise, wang_step, advanced, zcdp };
std::string_view name(SgldRule rule);
SgldRule sgld_rule_of(std::string_view name);

// Over sites: whether factors that a site keeps to itself follow from releases (all), or are fitted to its
// data, so that what leaves the site is protected and they are not (shared).
enum class Protection { all, shared };
std::string_view name(Protection protection);
Protection protection_of(std::string_view name);

// How the posterior of a model of noisy counts is found: by samples, or by variational Bayes.
enum class CountPosterior { gibbs, vb };
std::string_view name(CountPosterior posterior);
CountPosterior count_posterior_of(std::string_view name);

using SettingValue = std::variant<int, double, NoiseKind, SgldRule, Protection, CountPosterior>;

template <class T>
struct Setting {
  std::string_view name, meaning;
};

namespace setting {
inline constexpr Setting<NoiseKind> noise{"noise", "Distribution of the noise on released values"};
inline constexpr Setting<int> entries_per_user{"entries-per-user",
                                               "Maximum number of entries that count per user"};
inline constexpr Setting<int> rows_per_user{"rows-per-user", "Maximum number of rows that count per user"};
inline constexpr Setting<int> rows_per_cell{
    "rows-per-cell", "Maximum number of rows of one user that count in one cell; 1: users are counted"};
inline constexpr Setting<int> steps{"steps", "Number of sweeps, gradient steps or passes over the data"};
inline constexpr Setting<double> sampling_rate{"sampling-rate", "Probability that a step samples a unit"};
inline constexpr Setting<double> clip{"clip", "Clipping norm of one unit's contribution to a step"};
inline constexpr Setting<double> clip_quantile{
    "clip-quantile",
    "Fraction of the units whose contributions stay unclipped; the clipping norm adapts to it"};
inline constexpr Setting<double> learning_rate{"learning-rate", "Step size of a gradient step"};
inline constexpr Setting<SgldRule> sgld_rule{"sgld-rule",
                                             "Rule that turns the budget into noise in the published form"};
inline constexpr Setting<Protection> protection{
    "protection",
    "all: a site's own factors have noise too; shared: only what leaves a site has, and its own model is for "
    "that site alone"};
inline constexpr Setting<CountPosterior> posterior{
    "posterior",
    "vb: variational Bayes, priors from the moments of the noisy counts; gibbs: samples, fixed prior"};
}  // namespace setting

// What a number must keep to: at least `least`, or more than `above`; at most `most`, or less than `below`.
struct Limits {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double least = -kNone, above = -kNone, most = kNone, below = kNone;

  bool allow(double value) const;
  std::string text() const;  // "more than 0, at most 1"
};

// A setting as one method takes it.
struct MethodSetting {
  std::string_view name, meaning;
  SettingValue type;      // its value does not matter
  std::string otherwise;  // the default, in words where it depends on more than the method
  Limits limits = {};
  std::vector<NoiseKind> noises = {};    // to choose from, where it is one
  std::optional<Calibration> form = {};  // which alone reads it; none: both
  std::optional<Unit> unit = {};         // the same of units

  std::string values() const;  // "laplace, gaussian", or "a number, more than 0"
  bool is_read(Calibration by, Unit of) const;
  void check(std::string_view method,
             const SettingValue& value) const;  // a UsageError when it is not allowed
};

template <class T>
MethodSetting takes(const Setting<T>& setting, std::string otherwise, Limits limits = {}) {
  return {setting.name, setting.meaning, T{}, std::move(otherwise), limits};
}
MethodSetting takes_noise(std::span<const NoiseKind> noises, std::string otherwise);
MethodSetting as_published(MethodSetting setting);  // of the published form alone
MethodSetting in_sound_form(MethodSetting setting);
MethodSetting for_users(MethodSetting setting);  // of unit user alone

// Values that were given.
class Settings {
 public:
  template <class T>
  Settings& set(const Setting<T>& setting, std::type_identity_t<T> value) {
    values_[setting.name] = value;
    return *this;
  }
  template <class T>
  std::optional<T> get(const Setting<T>& setting) const {
    const auto found = values_.find(setting.name);
    return found == values_.end() ? std::nullopt : std::optional(std::get<T>(found->second));
  }
  template <class T>
  void reset(const Setting<T>& setting) {
    values_.erase(setting.name);
  }
  // A value as text, for a setting of this type. A UsageError when it is none.
  void parse(const MethodSetting& setting, std::string_view text);

  // Every given setting must be among those taken, within its limits, and read by this form for this unit.
  void check(std::string_view method, std::span<const MethodSetting> taken, Calibration form,
             Unit unit) const;
  std::string text() const;  // "noise laplace, steps 3"
  bool operator==(const Settings&) const = default;

 private:
  std::map<std::string_view, SettingValue> values_;  // names are those of the declarations above
};

}  // namespace tulle

#pragma GCC visibility pop
