// Options that several verbs share, declared and worded once.
#pragma once

#include "parser/verb.hpp"

#include <tulle/io/read.hpp>
#include <tulle/method/method.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle::cli {

// How a data file is read.
struct InputOptions {
  std::string format;
  std::string columns;
  std::string header = "auto";
  std::string unlisted = "missing";
  std::string duplicates = "refuse";
  std::string variable;
  std::string shape;
  bool nan_is_missing = false;

  void declare(Verb& verb);
  ReadOptions read_options() const;
  void refuse(std::string_view reason) const;  // a UsageError where one is given, --header apart
  Duplicates chosen_duplicates() const { return duplicates_of(duplicates); }
};

void declare_threads(Verb& verb);  // takes effect while parsing
void declare_json(Verb& verb, bool& json);
void declare_settings(Verb& verb, Job job, Settings& settings);  // of all methods of a job
void declare_seed(Verb& verb, std::optional<std::uint64_t>& seed);
std::uint64_t seed_or_new(std::optional<std::uint64_t> seed);  // without one, from the operating system

// A UsageError where the name of a drawing, which may be left out, does not end in .svg.
void check_drawing(std::string_view option, const std::string& path);

// Options by their names, and whether they were given.
using GivenOptions = std::initializer_list<std::pair<const char*, bool>>;
// A UsageError that names the first one that was given, with the reason behind it.
void refuse_given(GivenOptions options, std::string_view reason);

// Options of a verb by what they are for, where a verb runs in several ways: an option that plays no part in
// the way that was chosen is refused, by whether it was given and not by its value. All options that are
// declared together are for the same use, so that none is forgotten.
class OptionUses {
 public:
  void declare(Verb& verb, const std::string& use, const std::function<void()>& options);
  // A UsageError that names an option for this use that was given, with the reason behind it.
  void refuse(const std::string& use, std::string_view reason) const;
  bool given(const std::string& name) const { return given_.contains(name); }

 private:
  std::map<std::string, std::vector<std::string>> by_use_;
  std::set<std::string> given_;
};

std::vector<std::string> split_at_commas(const std::string& text);
std::vector<int> parse_ranks(const std::string& text);  // "8" or "8,8,4"

}  // namespace tulle::cli
