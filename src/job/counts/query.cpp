#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/data/noisy_margins.hpp>
#include <tulle/io/csv_field.hpp>
#include <tulle/io/margins.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/counts/query.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/method/counts.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tulle {
namespace {

ModelFile model_to_ask(const QueryOptions& options) {
  if (options.from_model) return *options.from_model;
  SavedModel model = load(options.model);
  check_made_by(options.model, model, {"count"});
  return std::get<ModelFile>(std::move(model));
}

std::optional<Index> find_position(const std::string& label, const Mode& mode, Index size) {
  if (!mode.labels.empty()) {
    const auto found = std::ranges::find(mode.labels, label);
    if (found == mode.labels.end()) return std::nullopt;
    return static_cast<Index>(found - mode.labels.begin());
  }
  const auto number = parse_number<std::uint64_t>(label);
  if (!number || *number < 1 || *number > size) return std::nullopt;
  return static_cast<Index>(*number - 1);
}

[[noreturn]] void fail_unknown(const std::string& text, const Mode& mode, Index size) {
  if (!mode.labels.empty())
    fail_usage("@where: '{}' is not a position of {}{}", text, mode.name, suggestion(text, mode.labels));
  fail_usage("@where: '{}' is not a position of {}; give a number from 1 to {}", text, mode.name, size);
}

// A label, or two with a colon between them: from the one to the other, in the order of the mode. A colon
// may be in a label too. Without one of them a range reaches the end of the mode.
std::vector<Index> positions_of(const std::string& text, const Mode& mode, Index size) {
  if (const auto position = find_position(text, mode, size)) return {*position};
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    const std::string from = text.substr(0, colon), to = text.substr(colon + 1);
    const auto first = from.empty() ? Index{0} : find_position(from, mode, size);
    const auto last = to.empty() ? size - 1 : find_position(to, mode, size);
    if (!first || !last) continue;
    if (*first > *last)
      fail_usage("@where: {} comes after {} among the positions of {}; exchange them", from, to, mode.name);
    std::vector<Index> range(*last - *first + 1);
    std::iota(range.begin(), range.end(), *first);
    return range;
  }
  fail_unknown(text, mode, size);
}

// The positions of each mode that count.
Block block_of(const QueryOptions& options, const std::vector<Mode>& modes, const Shape& shape) {
  Block block(modes.size());
  for (const std::string& condition : options.where) {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos)
      fail_usage("@where {}: give MODE=LABEL, MODE=LABEL,LABEL or MODE=FIRST:LAST", condition);
    const int mode = mode_of(condition.substr(0, equals), modes, "@where");
    std::vector<Index>& chosen = block[static_cast<std::size_t>(mode)];
    if (!chosen.empty()) fail_usage("@where: {} is there twice; join its positions by commas", condition);
    const Mode& known = modes[static_cast<std::size_t>(mode)];
    for (const std::string& text : split_at_commas(condition.substr(equals + 1)))
      std::ranges::copy(positions_of(text, known, shape[mode]), std::back_inserter(chosen));
    std::vector<Index> sorted = chosen;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      fail_usage("@where: {} {} is there twice", known.name, position_name(known, *twice));
  }
  return block;
}

std::vector<int> listed_modes(const QueryOptions& options, const std::vector<Mode>& modes) {
  std::vector<int> listed(modes.size());
  std::iota(listed.begin(), listed.end(), 0);
  for (const std::string& summed : options.sum_over) std::erase(listed, mode_of(summed, modes, "@sum-over"));
  return listed;
}

// The number of standard deviations from the mean that an interval of a normal distribution reaches.
double reach_of(double probability) {
  double low = 0, high = 40;
  while (std::nextafter(low, high) < high) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2)) < probability ? low : high) = middle;
  }
  return high;
}

// Calls visit(block) for every combination of positions of the listed modes.
template <class Visit>
void for_each_line(const std::vector<int>& listed, const Shape& shape, std::size_t next, Block& block,
                   const Visit& visit) {
  if (next == listed.size()) return visit(block);
  const int mode = listed[next];
  std::vector<Index>& chosen = block[static_cast<std::size_t>(mode)];
  std::vector<Index> positions = chosen;
  if (positions.empty()) {
    positions.resize(shape[mode]);
    std::iota(positions.begin(), positions.end(), Index{0});
  }
  const std::vector<Index> before = std::exchange(chosen, {0});
  for (const Index position : positions) {
    chosen.front() = position;
    for_each_line(listed, shape, next + 1, block, visit);
  }
  chosen = before;
}

constexpr double kMostLines = 1e7;  // which take a few GB

void check_number_of_lines(const std::vector<int>& listed, const Block& block, const Shape& shape) {
  double lines = 1;
  for (const int mode : listed) {
    const std::size_t chosen = block[static_cast<std::size_t>(mode)].size();
    lines *= static_cast<double>(chosen > 0 ? chosen : shape[mode]);
  }
  if (lines > kMostLines)
    fail_usage(
        "these are {:.3g} sums, and at most {:.3g} are listed; add up over modes[ (@sum-over)] or choose "
        "positions[ (@where)]",
        lines, kMostLines);
}

void check_table(const std::string& path, const char* option, const QueryOptions& options) {
  if (!traits(format_of(path)).has_columns())
    fail_usage("@{} {}: the table has columns; give a name that ends in .csv or .tsv", option, path);
  check_outputs({path}, {options.model});
}

void check(const QueryOptions& options) {
  if (!(options.probability > 0 && options.probability < 1))
    fail_usage("@interval {}: give a probability between 0 and 1", options.probability);
  if (!options.output.empty()) check_table(options.output, "output", options);
}

std::string number_text(double number) {
  return fmt::format("{:.10g}", number);
}

}  // namespace

CountSums query(const QueryOptions& options) {
  check(options);
  const ModelFile file = model_to_ask(options);
  const Counts& counts = std::get<Counts>(file.model);
  const std::vector<int> listed = listed_modes(options, file.modes);
  const double reach = reach_of(options.probability);
  Block block = block_of(options, file.modes, counts.shape());
  check_number_of_lines(listed, block, counts.shape());
  const BlockSums sum(counts);
  CountSums sums;
  for (const int mode : listed) sums.modes.push_back(in_utf8(file.modes[static_cast<std::size_t>(mode)]));
  for_each_line(listed, counts.shape(), 0, block, [&](const Block& each) {
    CountSums::Line line{.positions = {}, .count = sum(each), .low = 0, .high = 0};
    for (const int mode : listed) {
      const auto place = static_cast<std::size_t>(mode);
      line.positions.push_back(position_name(sums.modes[line.positions.size()], each[place].front()));
    }
    line.low = std::max(0.0, line.count.mean - reach * line.count.stddev);
    line.high = line.count.mean + reach * line.count.stddev;
    sums.lines.push_back(std::move(line));
  });
  return sums;
}

Json to_json(const CountSums& sums) {
  Json lines = Json::array();
  for (const CountSums::Line& line : sums.lines) {
    lines.push_back({{"positions", line.positions},
                     {"count", line.count.mean},
                     {"stddev", line.count.stddev},
                     {"low", line.low},
                     {"high", line.high}});
  }
  Json modes = Json::array();
  for (const Mode& mode : sums.modes) modes.push_back(mode.name);
  return {{"modes", std::move(modes)}, {"sums", std::move(lines)}};
}

void save(const std::string& path, const CountSums& sums) {
  const char separator = format_of(path) == Format::tsv ? '\t' : ',';
  std::string text;
  for (const Mode& mode : sums.modes) {
    append_field(text, mode.name, separator);
    text += separator;
  }
  text += fmt::format("{1}{0}{2}{0}{3}{0}{4}\n", separator, "count", "stddev", "low", "high");
  for (const CountSums::Line& line : sums.lines) {
    for (const std::string& position : line.positions) {
      append_field(text, position, separator);
      text += separator;
    }
    text += fmt::format("{1}{0}{2}{0}{3}{0}{4}\n", separator, number_text(line.count.mean),
                        number_text(line.count.stddev), number_text(line.low), number_text(line.high));
  }
  write_text(path, text);
}

std::size_t save_margins(const QueryOptions& options) {
  refuse_given({{"sum-over", !options.sum_over.empty()},
                {"where", !options.where.empty()},
                {"output", !options.output.empty()}},
               "is for sums of estimates, and @margins writes what was released; omit it");
  check_table(options.margins, "margins", options);
  const ModelFile file = model_to_ask(options);
  if (!file.measured) fail("{}: keeps no releases; count again without a seed, and keep them", options.model);
  NoisyMargins table{{}, file.measured->shape, released_margins(*file.measured)};
  for (const Mode& mode : file.modes) table.modes.push_back(in_utf8(mode));
  write_margins(options.margins, table);
  return table.margins.size();
}

void QueryOptions::declare(OptionTable& table) {
  table.add("model", model, "Model file of tulle count").required();
  table.add("sum-over", sum_over, split_at_commas, "Modes to add up over: names or numbers [none]");
  table
      .add("where", where,
           "Positions that count: MODE=LABEL, MODE=LABEL,LABEL or MODE=FIRST:LAST (repeatable) [all]")
      .repeats();
  table.add("interval", probability, "Probability of the interval of each count").show_default();
  table.add("output", output, "File for the sums (.csv, .tsv) [the terminal]");
  table.add("margins", margins,
            "Instead of sums: file for the noisy margins as they were released (.csv, .tsv)");
}

}  // namespace tulle
