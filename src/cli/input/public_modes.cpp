#include "input/public_modes.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <map>

namespace tulle::cli {
namespace {

bool is_csv(const std::string& path, const ReadOptions& reading) {
  const Format format = format_of(path, reading);
  return format == Format::csv || format == Format::tsv;
}

// A mode of --public, and the file that lists its positions; without one those found in the data are public.
struct Statement {
  std::string mode, file;
};

std::vector<Statement> statements(const PartsOptions& options) {
  std::vector<Statement> stated;
  for (const std::string& text : options.public_modes) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos)
      stated.push_back({text.substr(0, equals), text.substr(equals + 1)});
    else
      for (const std::string& mode : split_at_commas(text)) stated.push_back({mode, ""});
  }
  return stated;
}

// Names come from a header, except those that modes get without one: column3, column3/60.
bool comes_from_a_header(const std::string& mode) {
  constexpr std::string_view kUnnamed = "column";
  if (mode.starts_with(kUnnamed) && !is_column_name(mode.substr(kUnnamed.size()))) return false;
  return is_column_name(mode);
}

bool has_header(const PartsOptions& options, const DataPrivacy& privacy, const ReadOptions& reading,
                const std::string& path) {
  if (reading.header) return *reading.header;
  bool named = std::ranges::any_of(reading.columns, is_column_name) ||
               (!privacy.user_mode.empty() && comes_from_a_header(privacy.user_mode));
  for (const Statement& statement : statements(options)) named = named || comes_from_a_header(statement.mode);
  if (!named)
    fail_usage(
        "{}: under add-remove its first line may be private, so that it is a header is not inferred; give "
        "--header yes or --header no",
        path);
  return true;
}

std::map<int, std::string> stated_modes(const PartsOptions& options, const std::vector<Mode>& modes) {
  std::map<int, std::string> stated;
  for (const auto& [mode, file] : statements(options))
    if (!stated.emplace(parse_mode("--public", mode, modes), file).second)
      fail_usage("--public names mode {} twice; say it once", mode);
  return stated;
}

}  // namespace

ReadOptions reading_of_private_lines(const PartsOptions& options, const DataPrivacy& privacy,
                                     const std::string& path) {
  ReadOptions reading = options.input.read_options();
  if (is_csv(path, reading)) reading.header = has_header(options, privacy, reading, path);
  // How many cells there are is private, and what lies outside of the shape is dropped rather than complained
  // of. Of a file without lines, every mode is stated.
  reading.may_be_empty = true;
  reading.order = reading.shape ? reading.shape->order()
                                : static_cast<int>(statements(options).size()) + !privacy.user_mode.empty();
  reading.shape.reset();
  return reading;
}

std::vector<std::string> public_files(const PartsOptions& options) {
  std::vector<std::string> files;
  for (const Statement& statement : statements(options))
    if (!statement.file.empty()) files.push_back(statement.file);
  return files;
}

bool has_labels(const PartsOptions& options, const Mode& mode) {
  return !mode.labels.empty() || is_csv(options.train, options.input.read_options());
}

Positions public_positions(const PartsOptions& options, const Dataset& data, std::optional<int> users,
                           std::vector<std::string>& facts) {
  const std::map<int, std::string> stated = stated_modes(options, data.modes);
  const std::optional<Shape> shape = options.input.read_options().shape;
  const int order = data.shape().order();
  if (shape && shape->order() != order)
    fail_usage("--shape {}: the data have {} modes", shape->text(), order);
  Positions positions(static_cast<std::size_t>(order));
  for (int mode = 0; mode < order; ++mode) {
    const Mode& named = data.modes[static_cast<std::size_t>(mode)];
    const bool labels = has_labels(options, named);
    auto& wanted = positions[static_cast<std::size_t>(mode)];
    const auto said = stated.find(mode);
    if (mode == users) {
      if (said != stated.end())
        fail_usage("--public {}: who the users are stays private under add-remove; leave it out", named.name);
    } else if (said != stated.end() && !said->second.empty()) {
      std::vector<std::string> lines = read_lines(said->second);
      wanted =
          labels ? listed_positions(std::move(lines), said->second) : listed_numbers(lines, said->second);
      facts.push_back(fmt::format("the positions of mode {} (a list of the owner's)", named.name));
    } else if (said != stated.end()) {
      wanted = found_positions(data, mode);
      facts.push_back(
          fmt::format("the positions of mode {} (found in the data; the owner's word)", named.name));
    } else if (shape && !labels) {
      wanted = PublicPositions{{}, (*shape)[mode]};
      facts.push_back(fmt::format("the size of mode {} (the owner's word)", named.name));
    } else {
      fail_usage(
          "under add-remove the positions of mode {} are private; give their public list by --public "
          "{}=FILE, or "
          "say by --public {} that those found in the data are public{}",
          named.name, named.name, named.name, labels ? "" : ", or give --shape");
    }
  }
  return positions;
}

}  // namespace tulle::cli
