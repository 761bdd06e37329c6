#include "options.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/threads.hpp>

#include <random>
#include <string_view>

namespace tulle::cli {
namespace {

const char* const kReading = "Reading";

// The methods that take a setting, and the setting as the first of them takes it.
struct SharedSetting {
  MethodSetting setting;
  std::vector<std::string> methods;
};

std::vector<SharedSetting> settings_of_all_methods(Job job) {
  std::vector<SharedSetting> all;
  for (const Method& method : methods(job))
    for (const MethodSetting& setting : method.settings) {
      const auto same = [&](const SharedSetting& known) { return known.setting.name == setting.name; };
      auto found = std::ranges::find_if(all, same);
      if (found == all.end()) found = all.insert(all.end(), {setting, {}});
      found->methods.push_back(method.name);
    }
  return all;
}

}  // namespace

void InputOptions::declare(Verb& verb) {
  verb.add_option("--format", format, "Format of the data, when the name does not tell")
      .one_of({"tns", "csv", "tsv", "mtx", "npy", "npz", "mat"})
      .group(kReading);
  verb.add_option(
          "--columns", columns,
          "CSV: the mode columns and then the value, by name or number: 'user,film,rating' or '1,2,3'; "
          "'time/3600' cuts a numeric column into bins; '-' in place of the value: every row counts as 1")
      .group(kReading);
  verb.add_option("--header", header, "CSV: whether the first line names the columns")
      .one_of({"auto", "yes", "no"})
      .show_default()
      .group(kReading);
  verb.add_option("--unlisted", unlisted, "What cells that a sparse file does not list are")
      .one_of({"missing", "zero"})
      .show_default()
      .group(kReading);
  verb.add_option("--duplicates", duplicates,
                  "Rows that list the same cell: merge them into their mean, their last value, their sum or "
                  "their number (count), or refuse the file; labels of CSV are sorted where rows are merged. "
                  "Cells without a row are not 0: see "
                  "--unlisted")
      .one_of({"mean", "last", "sum", "count", "refuse"})
      .show_default()
      .group(kReading);
  verb.add_flag("--nan-missing", nan_is_missing, "NaN marks a missing cell, and in CSV an empty value")
      .group(kReading);
  verb.add_option("--shape", shape, "Sizes of the modes, when the file does not reach them: 943x1682")
      .group(kReading);
  verb.add_option("--variable", variable, "Which array of an .npz or .mat file").group(kReading);
}

ReadOptions InputOptions::read_options() const {
  ReadOptions options;
  if (!format.empty()) options.format = format_of("." + format);
  if (!columns.empty()) options.columns = split_at_commas(columns);
  if (header != "auto") options.header = header == "yes";
  options.unlisted = unlisted == "zero" ? Unlisted::zero : Unlisted::missing;
  options.duplicates = chosen_duplicates();
  options.nan_is_missing = nan_is_missing;
  options.variable = variable;
  if (!shape.empty()) options.shape = Shape::parse(shape);
  return options;
}

void InputOptions::refuse(std::string_view reason) const {
  const InputOptions otherwise;
  refuse_given({{"--format", !format.empty()},
                {"--columns", !columns.empty()},
                {"--unlisted", unlisted != otherwise.unlisted},
                {"--duplicates", duplicates != otherwise.duplicates},
                {"--nan-missing", nan_is_missing},
                {"--shape", !shape.empty()},
                {"--variable", !variable.empty()}},
               reason);
}

void declare_threads(Verb& verb) {
  verb.add_option_function<int>("--threads", set_threads,
                                "Threads to use; results do not depend on it [all cores]")
      .group("Running");
}

void declare_json(Verb& verb, bool& json) {
  verb.add_flag("--json", json, "Print JSON instead of text; docs/json.md describes the fields");
}

void declare_seed(Verb& verb, std::optional<std::uint64_t>& seed) {
  verb.add_option(
          "--seed", seed,
          "Makes the run repeatable, and so not private against whoever knows it [a new one each time]")
      .group("Running");
}

std::uint64_t seed_or_new(std::optional<std::uint64_t> seed) {
  if (seed) return *seed;
  return std::random_device{}();
}

void check_drawing(std::string_view option, const std::string& path) {
  if (!path.empty() && !path.ends_with(".svg"))
    fail_usage("{} {}: drawings are SVG; give a name that ends in .svg", option, path);
}

void refuse_given(GivenOptions options, std::string_view reason) {
  for (const auto& [name, is_given] : options)
    if (is_given) fail_usage("{} {}", name, reason);
}

void OptionUses::declare(Verb& verb, const std::string& use, const std::function<void()>& options) {
  std::vector<std::string>& names = by_use_[use];
  const std::vector<std::string> declared = verb.recorded(options, given_);
  names.insert(names.end(), declared.begin(), declared.end());
}

void OptionUses::refuse(const std::string& use, std::string_view reason) const {
  const auto found = by_use_.find(use);
  if (found == by_use_.end()) return;
  for (const std::string& name : found->second)
    if (given(name)) fail_usage("{} {}", name, reason);
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::vector<int> parse_ranks(const std::string& text) {
  std::vector<int> ranks;
  for (const std::string& part : split_at_commas(text)) {
    const auto rank = parse_number<int>(part);
    if (!rank || *rank < 1)
      fail_usage("--rank {}: expected a number from 1, or one per mode such as 8,8,4", text);
    ranks.push_back(*rank);
  }
  return ranks;
}

void declare_settings(Verb& verb, Job job, Settings& settings) {
  for (const auto& [setting, methods] : settings_of_all_methods(job))
    verb.add_option_function<std::string>(
            fmt::format("--{}", setting.name),
            [&settings, setting = setting](const std::string& text) { settings.parse(setting, text); },
            fmt::format("{} ({})", setting.meaning, fmt::join(methods, ", ")))
        .group("Settings of single methods (see: tulle methods NAME)");
}

}  // namespace tulle::cli
