#include "text/line_fields.hpp"
#include "text/lines.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/csv_field.hpp>
#include <tulle/io/margins.hpp>
#include <tulle/io/write.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace tulle {
namespace {

constexpr std::array<std::string_view, 4> kLastColumns = {"release", "count", "stddev", "noise"};
constexpr double kLargestNumber = 1e100;

std::string in_full(double number) {
  return fmt::format("{}", number);
}

// The positions of a value of a margin, by mode.
std::vector<Index> positions_at(const NoisyMargin& margin, const Shape& shape, std::uint64_t place) {
  std::vector<Index> positions(static_cast<std::size_t>(shape.order()));
  for (auto mode = margin.modes.rbegin(); mode != margin.modes.rend(); ++mode) {
    positions[static_cast<std::size_t>(*mode)] = static_cast<Index>(place % shape[*mode]);
    place /= shape[*mode];
  }
  return positions;
}

class MarginReader {
 public:
  explicit MarginReader(std::string path) : path_(std::move(path)) {}

  NoisyMargins read() {
    LineFields fields(separator_of_list(path_));
    for_each_line(path_, [&](std::string_view line) {
      ++number_;
      if (line.empty()) return;
      const auto found = fields.of(line);
      if (!fields.fault().empty()) fail_here("{}", fields.fault());
      columns_ == 0 ? take_header(found) : take(found);
    });
    return finish();
  }

 private:
  // The cells of a margin in the order of the file.
  struct Margin {
    std::vector<int> modes;
    double stddev;
    std::string noise;
    std::vector<Index> positions;  // of its modes, cell after cell
    std::vector<double> values;
  };

  template <class... Values>
  [[noreturn]] void fail_here(fmt::format_string<Values...> text, Values&&... values) const {
    fail("{}:{}: {}", path_, number_, fmt::format(text, std::forward<Values>(values)...));
  }

  void take_header(std::span<const Field> fields) {
    columns_ = fields.size();
    const bool ends = columns_ > kLastColumns.size() &&
                      std::ranges::equal(fields.last(kLastColumns.size()), kLastColumns, {}, &Field::text);
    const std::size_t order = columns_ - std::min(columns_, kLastColumns.size());
    if (!ends || order < kMinOrder || order > kMaxOrder)
      fail_here("the columns of noisy margins are {} to {} modes, then release, count, stddev and noise",
                kMinOrder, kMaxOrder);
    for (const Field& field : fields.first(order)) modes_.push_back({.name = std::string(field.text)});
    places_.resize(order);
  }

  double number_in(const Field& field) const {
    const auto number = parse_number<double>(field.text);
    if (!number || !(std::abs(*number) <= kLargestNumber)) fail_here("'{}' is no number", field.text);
    return *number;
  }

  Index place_of_label(std::size_t mode, const Field& field) {
    const auto [place, fresh] =
        places_[mode].try_emplace(std::string(field.text), static_cast<Index>(modes_[mode].labels.size()));
    if (fresh) modes_[mode].labels.emplace_back(field.text);
    return place->second;
  }

  void take(std::span<const Field> fields) {
    if (fields.size() != columns_)
      fail_here("{} columns, but the first line has {}", fields.size(), columns_);
    std::vector<int> modes;
    std::vector<Index> positions;
    for (std::size_t mode = 0; mode < modes_.size(); ++mode)
      if (!fields[mode].text.empty()) {
        modes.push_back(static_cast<int>(mode));
        positions.push_back(place_of_label(mode, fields[mode]));
      }
    const auto last = fields.last(kLastColumns.size());
    const double count = number_in(last[1]), stddev = number_in(last[2]);
    if (!(stddev >= 1 / kLargestNumber)) fail_here("a standard deviation of {}; give one above 0", stddev);
    Margin& margin = margin_of(std::string(last[0].text), modes, stddev, std::string(last[3].text));
    margin.positions.insert(margin.positions.end(), positions.begin(), positions.end());
    margin.values.push_back(count);
  }

  Margin& margin_of(std::string release, const std::vector<int>& modes, double stddev, std::string noise) {
    const auto [place, fresh] = by_release_.try_emplace({std::move(release), modes}, margins_.size());
    if (fresh) margins_.push_back({modes, stddev, std::move(noise), {}, {}});
    Margin& margin = margins_[place->second];
    if (margin.stddev != stddev)
      fail_here("a standard deviation of {}, and of {} before; a margin has one", stddev, margin.stddev);
    return margin;
  }

  NoisyMargins finish() {
    if (modes_.empty()) fail("{}: there are no margins", path_);
    std::vector<std::uint64_t> sizes;
    for (Mode& mode : modes_) {
      if (mode.labels.empty()) fail("{}: no margin lists positions of {}", path_, mode.name);
      sizes.push_back(mode.labels.size());
      drop_numbers(mode);
    }
    NoisyMargins table{std::move(modes_), Shape(sizes), {}};
    for (Margin& margin : margins_) table.margins.push_back(in_order(std::move(margin), table));
    return table;
  }

  // Positions that are numbers, all of them in order, need no labels.
  static void drop_numbers(Mode& mode) {
    for (std::size_t i = 0; i < mode.labels.size(); ++i)
      if (mode.labels[i] != fmt::format("{}", i + 1)) return;
    mode.labels.clear();
  }

  NoisyMargin in_order(Margin margin, const NoisyMargins& table) const {
    std::string names = "the number of events";
    double cells = 1;
    for (const int mode : margin.modes) {
      names = cells == 1 && mode == margin.modes.front() ? "the margin by " : names + ", ";
      names += table.modes[static_cast<std::size_t>(mode)].name;
      cells *= table.shape[mode];
    }
    if (static_cast<double>(margin.values.size()) != cells)
      fail("{}: {} has {} values, and {:.0f} combinations of positions; list each once", path_, names,
           margin.values.size(), cells);
    NoisyMargin ordered{margin.modes, std::vector<double>(margin.values.size()), margin.stddev,
                        std::move(margin.noise)};
    std::vector<bool> seen(margin.values.size());
    for (std::size_t cell = 0; cell < seen.size(); ++cell) {
      std::size_t place = 0;
      for (std::size_t i = 0; i < margin.modes.size(); ++i)
        place = place * table.shape[margin.modes[i]] + margin.positions[cell * margin.modes.size() + i];
      if (seen[place]) fail("{}: {} has a cell twice; list each once", path_, names);
      seen[place] = true;
      ordered.values[place] = margin.values[cell];
    }
    return ordered;
  }

  std::string path_;
  std::size_t number_ = 0, columns_ = 0;
  std::vector<Mode> modes_;
  std::vector<std::unordered_map<std::string, Index>> places_;  // by mode and label
  std::map<std::pair<std::string, std::vector<int>>, std::size_t> by_release_;
  std::vector<Margin> margins_;
};

}  // namespace

bool may_be_margins(const std::string& path) {
  return ends_like_a_table(path);
}

void write_margins(const std::string& path, const NoisyMargins& table) {
  const char separator = separator_of_list(path);
  std::string text;
  for (const Mode& mode : table.modes) {
    append_field(text, mode.name, separator);
    text += separator;
  }
  text += fmt::format("{}\n", fmt::join(kLastColumns, std::string_view(&separator, 1)));
  for (std::size_t release = 0; release < table.margins.size(); ++release) {
    const NoisyMargin& margin = table.margins[release];
    for (std::size_t i = 0; i < margin.values.size(); ++i) {
      const auto at = positions_at(margin, table.shape, margin.places.empty() ? i : margin.places[i]);
      for (std::size_t mode = 0; mode < table.modes.size(); ++mode) {
        if (std::ranges::find(margin.modes, static_cast<int>(mode)) != margin.modes.end()) {
          const std::string label = position_name(table.modes[mode], at[mode]);
          if (label.empty())
            fail("{}: a position of {} has an empty label, which stands for a sum in a table of margins",
                 path, table.modes[mode].name);
          append_field(text, label, separator);
        }
        text += separator;
      }
      text += fmt::format("{1}{0}{2}{0}{3}{0}", separator, release + 1, in_full(margin.values[i]),
                          in_full(margin.stddev));
      append_field(text, margin.noise, separator);
      text += '\n';
    }
  }
  write_text(path, text);
}

NoisyMargins read_margins(const std::string& path) {
  return MarginReader(path).read();
}

}  // namespace tulle
