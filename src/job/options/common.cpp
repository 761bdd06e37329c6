#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/job/options/common.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <random>

namespace tulle {
namespace {

// A setting as its first method declares it, with all methods that take it.
struct SharedSetting {
  MethodSetting setting;
  std::vector<std::string> methods;
};

std::vector<SharedSetting> settings_of(Job job, const IsWanted& is_wanted) {
  std::vector<SharedSetting> all;
  for (const Method& method : methods(job)) {
    if (!is_wanted(method)) continue;
    for (const MethodSetting& setting : method.settings) {
      const auto same = [&](const SharedSetting& known) { return known.setting.name == setting.name; };
      auto found = std::ranges::find_if(all, same);
      if (found == all.end()) found = all.insert(all.end(), {setting, {}});
      found->methods.push_back(method.name);
    }
  }
  return all;
}

void declare_setting(OptionTable& table, const MethodSetting& setting, std::string_view meaning,
                     Settings& settings, const char* heading) {
  table
      .add_text(
          std::string(setting.name),
          [&settings, setting](const std::string& text) { settings.parse(setting, text); }, meaning)
      .group(heading);
}

std::optional<bool> header_of(const std::string& text) {
  return text == "auto" ? std::nullopt : std::optional(text == "yes");
}

OptionValue text(std::string value) {
  return {std::move(value)};
}

char separator_of(const std::string& text) {
  if (text == "tab") return '\t';
  constexpr std::string_view kPartsOfFields = "\"\r\n.-+_";
  const char c = text.front();
  const bool is_letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (text.size() != 1 || is_letter || kPartsOfFields.find(c) != kPartsOfFields.npos)
    fail_usage("@separator {}: give one character, such as ; or |, or tab", text);
  return c;
}

// MODE=FILE, or modes separated by commas.
void add_public_modes(std::vector<PublicMode>& modes, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos)
    modes.push_back({text.substr(0, equals), text.substr(equals + 1)});
  else
    for (const std::string& mode : split_at_commas(text)) modes.push_back({mode, ""});
}

}  // namespace

void declare_format(OptionTable& table, ReadOptions& reading) {
  table
      .add(
          "format", reading.format, [](const std::string& name) { return format_of("." + name); },
          "Format of the data [from the file name]")
      .one_of(format_names())
      .group(kReading);
}

void declare_header(OptionTable& table, ReadOptions& reading) {
  table.add("header", reading.header, header_of, "Whether the first line of a CSV file names the columns")
      .one_of({"auto", "yes", "no"})
      .show_default(text("auto"))
      .group(kReading);
}

void declare_separator(OptionTable& table, std::optional<char>& separator, std::optional<char>& decimal) {
  table
      .add("separator", separator, separator_of,
           "Character between the columns of a CSV file, or tab [a comma, or a semicolon if the header has "
           "no comma]")
      .group(kReading);
  table
      .add(
          "decimal", decimal, [](const std::string& text) { return text == "comma" ? ',' : '.'; },
          "Decimal mark of numbers in a CSV file [point; comma too between semicolons]")
      .one_of({"point", "comma"})
      .group(kReading);
}

void declare_shape(OptionTable& table, ReadOptions& reading) {
  table
      .add(
          "shape", reading.shape, [](const std::string& sizes) { return Shape::parse(sizes); },
          "Sizes of the modes, if larger than in the file: 943x1682")
      .joined_by('x')
      .group(kReading);
  table.add("variable", reading.variable, "Name of the array in an .npz or .mat file").group(kReading);
}

void declare_reading(OptionTable& table, ReadOptions& reading) {
  declare_format(table, reading);
  table
      .add("columns", reading.columns, split_at_commas,
           "Mode columns and then the value of a CSV file: user,film,rating or 1,2,3; time/3600: bins, "
           "time/week: hours, days, weeks or months of time stamps; - as value: every row counts as 1")
      .group(kReading);
  declare_header(table, reading);
  declare_separator(table, reading.separator, reading.decimal);
  table
      .add(
          "unlisted", reading.unlisted,
          [](const std::string& name) { return name == "zero" ? Unlisted::zero : Unlisted::missing; },
          "Whether cells absent from a sparse file are missing or zero")
      .one_of({"missing", "zero"})
      .show_default(text("missing"))
      .group(kReading);
  table
      .add("duplicates", reading.duplicates, duplicates_of,
           "Merge rows of the same cell (count: their number), which sorts CSV labels, or refuse the file; "
           "cells without a row: @unlisted")
      .one_of({"mean", "last", "sum", "count", "refuse"})
      .show_default(text("refuse"))
      .group(kReading);
  table
      .add("nan-missing", reading.nan_is_missing,
           "Read NaN, and in CSV an empty value or NA, as a missing cell")
      .group(kReading);
  declare_shape(table, reading);
}

void declare_public(OptionTable& table, DataOptions& data, std::string_view input) {
  table
      .add_text(
          "public", [&data](const std::string& text) { add_public_modes(data.public_modes, text); },
          fmt::format("Public positions of a mode under add-remove: MODE=FILE, a list, one per line or, as "
                      "MODE=FILE.csv:COLUMN, a column; MODE or MODE,MODE: those in {} (repeatable)",
                      input))
      .repeats()
      .group("Privacy");
  table
      .add(
          "unknown", data.outside,
          [](const std::string& name) {
            return name == "drop" ? OutsidePositions::drop : OutsidePositions::refuse;
          },
          "Drop entries at positions that are not public, or refuse the file, which reveals that it has some")
      .one_of({"drop", "refuse"})
      .show_default({std::string("drop")})
      .group("Privacy");
}

void refuse_reading(const ReadOptions& reading, std::string_view reason) {
  const ReadOptions otherwise;
  refuse_given({{"format", reading.format.has_value()},
                {"columns", !reading.columns.empty()},
                {"separator", reading.separator.has_value()},
                {"decimal", reading.decimal.has_value()},
                {"unlisted", reading.unlisted != otherwise.unlisted},
                {"duplicates", reading.duplicates != otherwise.duplicates},
                {"nan-missing", reading.nan_is_missing},
                {"shape", reading.shape.has_value()},
                {"variable", !reading.variable.empty()}},
               reason);
}

void declare_estimate(OptionTable& table, FitOptions& fit, int least_rank) {
  table
      .add(
          "rank", fit.ranks,
          [least_rank](const std::string& text) {
            return text == "auto" ? std::vector<int>() : parse_ranks(text, least_rank);
          },
          "Number of components, for tucker also one per mode: 8,8,4; auto: chosen by the method [auto]")
      .group(kFitting);
  table.add("biases", fit.biases, "Add a global level and an offset for every position of every mode")
      .group(kFitting);
  table.add("solver", fit.solver, solver_of, "Solver: als or sgd (cp, tucker), admm (tubal)").group(kFitting);
  table.add("ridge", fit.ridge, "Strength of the penalty on the factors").group(kFitting);
  table
      .add(
          "start", fit.start,
          [](const std::string& name) { return name == "spectral" ? Start::spectral : Start::random; },
          "Starting point: random or spectral [random with missing cells, spectral without]")
      .one_of({"random", "spectral"})
      .group(kFitting);
  table.add("iterations", fit.max_iterations, "Maximum number of iterations").group(kFitting);
  table.add("tolerance", fit.tolerance, "Stop when the relative change in an iteration is below this")
      .group(kFitting);
}

void declare_releases(OptionTable& table, bool& keep) {
  table
      .add(
          "releases", keep, [](const std::string& text) { return text == "keep"; },
          "Whether the model file keeps the releases of the run, for a refit: keep or drop")
      .one_of({"keep", "drop"})
      .show_default({std::string("keep")});
}

void declare_settings(OptionTable& table, Job job, Settings& settings) {
  for (const auto& [setting, methods] : settings_of(job, [](const Method&) { return true; }))
    declare_setting(table, setting, fmt::format("{} ({})", setting.meaning, fmt::join(methods, ", ")),
                    settings, "Settings of single methods (see: tulle methods NAME)");
}

void declare_settings(OptionTable& table, const IsWanted& is_wanted, Settings& settings, const char* heading,
                      const std::vector<std::string_view>& others) {
  for (const auto& [setting, methods] : settings_of(Job::completion, is_wanted))
    if (std::ranges::find(others, setting.name) == others.end())
      declare_setting(table, setting, setting.meaning, settings, heading);
}

void declare_threads(OptionTable& table) {
  table
      .add_function<int>("threads", set_threads, "Number of threads; results do not depend on it [all cores]")
      .group("Running");
}

void declare_seed(OptionTable& table, std::optional<std::uint64_t>& seed) {
  table
      .add("seed", seed,
           "Random seed; makes the run repeatable, and so not private against anyone who knows the seed [a "
           "new one each time]")
      .group("Running");
}

std::uint64_t seed_or_new(std::optional<std::uint64_t> seed) {
  if (seed) return *seed;
  return std::random_device{}();
}

void check_drawing(std::string_view option, const std::string& path) {
  if (!path.empty() && !path.ends_with(".svg"))
    fail_usage("{} {}: drawings are SVG; give a name that ends in .svg", option_name(option), path);
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

std::vector<int> parse_ranks(const std::string& text, int least) {
  std::vector<int> ranks;
  for (const std::string& part : split_at_commas(text)) {
    const auto rank = parse_number<int>(part);
    if (!rank || *rank < least)
      fail_usage("@rank {}: expected a number from {}, or one per mode such as 8,8,4", text, least);
    ranks.push_back(*rank);
  }
  return ranks;
}

Range parse_range(std::string_view option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto low = parse_number<double>(text.substr(0, colon));
  const auto high = colon == std::string::npos ? std::nullopt : parse_number<double>(text.substr(colon + 1));
  if (!low || !high) fail_usage("{} {}: expected LOW:HIGH, such as 1:5", option_name(option), text);
  return {*low, *high};
}

}  // namespace tulle
