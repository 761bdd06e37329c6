#include "public_modes.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/printable.hpp>
#include <tulle/io/list.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>
#include <map>

namespace tulle {
namespace {

bool is_csv(const std::string& path, const ReadOptions& reading) {
  return traits(format_of(path, reading)).has_columns();
}

// Names come from a header, unless they are those given to modes without one: column3, column3/60, axis 2.
bool comes_from_a_header(std::string_view mode) {
  for (const std::string_view unnamed : {"column", "axis "})
    if (mode.starts_with(unnamed) && !is_column_name(mode.substr(unnamed.size()))) return false;
  return is_column_name(mode);
}

bool has_header(const DataOptions& options, const DataPrivacy& privacy, const ReadOptions& reading,
                const std::string& path) {
  if (reading.header) return *reading.header;
  bool named =
      std::ranges::any_of(reading.columns, [](std::string_view name) { return is_column_name(name); }) ||
      (!privacy.user_mode.empty() && comes_from_a_header(privacy.user_mode));
  for (const PublicMode& stated : options.public_modes) named = named || comes_from_a_header(stated.mode);
  if (!named)
    fail_usage(
        "{}: under add-remove its first line may be private, so that it is a header is not inferred; state "
        "whether it is[ (@header)]",
        path);
  return true;
}

// The file of every mode that is stated; "" if the positions of the data are public.
std::map<int, std::string> stated_modes(const DataOptions& options, const std::vector<Mode>& modes) {
  std::map<int, std::string> stated;
  for (const auto& [mode, file] : options.public_modes)
    if (!stated.emplace(mode_of(mode, modes, "public mode"), file).second)
      fail_usage("mode {} is stated to be public twice; state it once", mode);
  return stated;
}

}  // namespace

void check_header(const Dataset& data) {
  if (data.guessed_header)
    fail_usage(
        "under add-remove the first line of a table may be private, and that it is a header, or none, was "
        "inferred from it; read the data with ReadOptions::header stated, or for this job "
        "(read_completion_data)");
}

ReadOptions reading_of_private_lines(const DataOptions& options, const DataPrivacy& privacy,
                                     const std::string& path, std::size_t private_keys) {
  ReadOptions reading = options.reading;
  if (is_csv(path, reading)) reading.header = has_header(options, privacy, reading, path);
  // The number of cells is private, and entries outside the shape are dropped without an error. For a file
  // without lines, every mode is stated.
  reading.may_be_empty = true;
  reading.order = reading.shape ? reading.shape->order()
                                : static_cast<int>(options.public_modes.size() + private_keys) +
                                      !privacy.user_mode.empty();
  reading.shape.reset();
  return reading;
}

bool has_labels(const DataOptions& options, const Dataset& data, int mode) {
  return data.is_labelled || !data.modes[static_cast<std::size_t>(mode)].labels.empty() ||
         is_csv(options.train, options.reading);
}

std::string listed_fact(const std::string& mode) {
  return fmt::format("the positions of mode {} (a list of the owner's)", mode);
}

Positions public_positions(const DataOptions& options, const Dataset& data, std::optional<int> users,
                           std::vector<std::string>& facts, const std::vector<int>& chosen) {
  const std::map<int, std::string> stated = stated_modes(options, data.modes);
  const std::optional<Shape>& shape = options.reading.shape;
  const int order = data.shape().order();
  if (shape && shape->order() != order)
    fail_usage("the data have {} modes, but sizes are stated for {}", order, shape->order());
  Positions positions(static_cast<std::size_t>(order));
  for (int mode = 0; mode < order; ++mode) {
    const Mode& named = data.modes[static_cast<std::size_t>(mode)];
    const bool labels = has_labels(options, data, mode);
    auto& wanted = positions[static_cast<std::size_t>(mode)];
    const auto said = stated.find(mode);
    if (mode == users) {
      if (said != stated.end())
        fail_usage(
            "mode {}: who the users are stays private under add-remove; do not state it to be public[ "
            "(@public)]",
            named.name);
    } else if (std::ranges::find(chosen, mode) != chosen.end()) {
      if (said != stated.end())
        fail_usage(
            "mode {}: its positions are chosen privately[ (@private-keys)] or stated[ (@public)], not both",
            named.name);
    } else if (said != stated.end() && !said->second.empty()) {
      std::vector<std::string> lines = read_list(list_file(said->second), named.name);
      wanted =
          labels ? listed_positions(std::move(lines), said->second) : listed_numbers(lines, said->second);
      facts.push_back(listed_fact(named.name));
    } else if (said != stated.end()) {
      wanted = found_positions(data, mode);
      facts.push_back(
          fmt::format("the positions of mode {} (found in the data; the owner's word)", named.name));
    } else if (shape && !labels) {
      wanted = PublicPositions{{}, (*shape)[mode]};
      facts.push_back(size_fact(named.name));
    } else {
      fail_usage(
          "under add-remove the positions of mode {} are private; give their public list[ (@public "
          "MODE=FILE)][ (@positions)][, or state that those found in the data are public (@public MODE)]{}",
          named.name, labels ? "" : message("[, or give the size of every mode (@shape)]"));
    }
  }
  return positions;
}

std::vector<std::string> dropped_examples(const std::string& path, const PlacedData& placed) {
  const std::string_view file = path == "-" ? "standard input" : std::string_view(path);
  std::vector<std::string> examples;
  for (const UnknownPosition& position : placed.examples) {
    const std::string& mode = placed.data.modes[static_cast<std::size_t>(position.mode)].name;
    examples.push_back(fmt::format("'{}' of mode {}{}", printable(position.name, kShownOfALabel), mode,
                                   position.line > 0 ? fmt::format(" ({}:{})", file, position.line) : ""));
  }
  return examples;
}

}  // namespace tulle
