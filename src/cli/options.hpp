// Options that several verbs share, declared and worded once.
#pragma once

#include "parser/verb.hpp"

#include <tulle/io/read.hpp>
#include <tulle/method/method.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
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

std::vector<std::string> split_at_commas(const std::string& text);
std::vector<int> parse_ranks(const std::string& text);  // "8" or "8,8,4"

}  // namespace tulle::cli
