#include "label_reader.hpp"

#include "text/number.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace tulle {
namespace {

constexpr int kMostClasses = 1'000'000;

template <class Map, class Key>
std::optional<int> find_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

// The first few names.
std::string text_of(std::span<const std::string> names) {
  constexpr std::size_t kShown = 8;
  return fmt::format("{}{}", fmt::join(names.first(std::min(kShown, names.size())), ", "),
                     names.size() > kShown ? ", .." : "");
}

}  // namespace

LabelReader::LabelReader(std::string path, const LabelledFileOptions& options)
    : path_(std::move(path)), options_(options) {
  const int named = static_cast<int>(options.known.size());
  if (named > 0 && options.classes.value_or(named) != named)
    fail_usage("{}: {} classes are stated, but {} have names; state the same number", path_, *options.classes,
               named);
  classes_ = named > 0 ? named : options.classes.value_or(0);
  for (std::size_t i = 0; i < options.known.size(); ++i) {
    names_.emplace(options.known[i], static_cast<int>(i));
    if (const auto number = parse_number<double>(options.known[i]); number && !std::isnan(*number))
      numbers_.emplace(*number, static_cast<int>(i));
  }
}

int LabelReader::known(std::optional<int> found, std::string_view label, std::size_t row) const {
  if (!found)
    fail("{} row {}: label {} is none of the classes {}; give data that belong together", path_, row + 1,
         label, text_of(options_.known));
  return *found;
}

int LabelReader::nearest(double label) {
  const int found = label > 0 ? static_cast<int>(std::min(std::floor(label), classes_ - 1.0)) : 0;
  if (found != label) ++moved_;
  return found;
}

int LabelReader::of_number(double label, std::size_t row) {
  if (options_.named && options_.clamped) return of_name(fmt::format("{}", label));
  if (options_.clamped) return nearest(label);
  if (!options_.known.empty())  // NaN is unordered, so it cannot be looked up
    return known(std::isnan(label) ? std::nullopt : find_in(numbers_, label), fmt::format("{}", label), row);
  if (!(label >= 0 && label < kMostClasses) || label != std::floor(label))
    fail("{} row {}: label {} is no class; labels are whole numbers from 0, {} at most", path_, row + 1,
         label, kMostClasses - 1);
  return static_cast<int>(label);
}

// One that is none of the classes is the first: to refuse it would tell of the example. A number may be
// written in another way, as 1.0.
int LabelReader::of_name(std::string_view label) {
  if (const auto found = find_in(names_, label)) return *found;
  if (const auto number = parse_number<double>(label); number && !std::isnan(*number))
    if (const auto found = find_in(numbers_, *number)) return *found;
  ++moved_;
  return 0;
}

// If no classes are known, a text in place of a number is private, and messages do not repeat it.
int LabelReader::of_text(std::string_view label, std::size_t row) {
  if (options_.named && options_.clamped) return of_name(label);
  const bool is_known = !options_.known.empty() && !options_.clamped;
  if (const auto found = is_known ? find_in(names_, label) : std::nullopt) return *found;
  const Number<double> number = parse_field(label);
  if (number.fault != NumberFault::malformed) return of_number(number.value, row);
  if (is_known) return known({}, label, row);
  fail("{} row {}: the label is no number; labels are whole numbers from 0: number the classes{}", path_,
       row + 1,
       row == 0 && !options_.header.value_or(false)
           ? message("; if the first row may be a header, state whether it is[ (@header)]")
           : "");
}

}  // namespace tulle
