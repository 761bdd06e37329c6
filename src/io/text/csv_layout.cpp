#include "text/csv_layout.hpp"

#include "text/assemble.hpp"
#include "text/number.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr std::string_view kNoValue = "-";  // chosen in place of the value column

// "ts/604800" or "ts/week": the column and the width of its bins.
struct Binned {
  std::string_view column;
  std::string_view width_text;
  double width;
  TimeBin time;
};

std::optional<Binned> split_bins(std::string_view text) {
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return {};
  const auto width_text = text.substr(slash + 1);
  if (const TimeBin time = time_bin_of(width_text); time != TimeBin::none)
    return Binned{text.substr(0, slash), width_text, 0, time};
  const auto width = parse_field(width_text);
  if (width.fault != NumberFault::none || !(width.value > 0)) return {};
  return Binned{text.substr(0, slash), width_text, width.value, TimeBin::none};
}

bool can_be_binned(const Binned& binned, std::string_view text) {
  return binned.time == TimeBin::none ? parse_field(text).fault == NumberFault::none
                                      : time_bin(text, binned.time).has_value();
}

// The choice of a column: by the user's text, or by its place without such a choice.
struct Choice {
  std::string text;
  std::optional<std::size_t> place = {};
};

// The number of the chosen column, unless it is chosen by name.
std::optional<std::uint64_t> column_number(std::string_view choice) {
  if (const auto number = parse_number<std::uint64_t>(choice)) return number;
  const auto binned = split_bins(choice);
  return binned ? parse_number<std::uint64_t>(binned->column) : std::nullopt;
}

// Determines the layout step by step: the choices of columns, whether there is a header, and the columns
// themselves.
class Planner {
 public:
  Planner(std::span<const Field> row, const ReadOptions& options, bool cells_only, const std::string& where)
      : row_(row),
        options_(options),
        cells_only_(cells_only),
        where_(where),
        order_(expected_order(options)) {
    is_column_ = options.is_column && (options.columns.empty() ? row.size() : options.columns.size()) <= 2;
    if (is_column_) order_ = 1;
  }

  CsvLayout plan() {
    if (!options_.columns.empty())
      choose_as_told();
    else if (header_names_known_modes())
      choose_by_known_names();
    else
      choose_by_position();
    const int order = static_cast<int>(mode_choices_.size());
    if ((order < kMinOrder && !is_column_) || order > kMaxOrder)
      fail("{}: {} mode columns; a tensor has {} to {} modes{}", where_, order, kMinOrder, kMaxOrder,
           row_.size() == 1 ? ", and fields are separated by commas, in .tsv by tabs" : "");

    CsvLayout layout{row_.size(), has_header(), {}, {}, !options_.header && !needs_header()};
    for (int mode = 0; mode < order; ++mode) layout.modes.push_back(resolve_mode(mode, layout.header));
    if (value_choice_) layout.value = resolve(*value_choice_, layout.header);
    if (!options_.columns.empty()) check_distinct(layout);
    if (is_column_) layout.modes.push_back({.column = kNoColumn, .name = "column", .numbered = true});
    return layout;
  }

 private:
  void choose_as_told() {
    const auto& columns = options_.columns;
    const std::size_t order = order_ ? static_cast<std::size_t>(*order_) : columns.size() - 1;
    const bool has_value = columns.size() == order + 1;
    if (!has_value && !(cells_only_ && columns.size() == order))
      fail_usage("{} columns were chosen, but {} modes and a value need {}", columns.size(), order,
                 order + 1);
    for (std::size_t mode = 0; mode < order; ++mode) mode_choices_.push_back({columns[mode]});
    if (has_value && columns.back() != kNoValue) value_choice_ = Choice{columns.back()};
  }

  // One column may serve as two modes only if it is divided into bins of different widths.
  void check_distinct(const CsvLayout& layout) const {
    for (std::size_t mode = 0; mode < layout.modes.size(); ++mode) {
      const CsvMode& chosen = layout.modes[mode];
      const auto same = [&](const CsvMode& other) {
        return other.column == chosen.column && other.width == chosen.width && other.time == chosen.time;
      };
      if (std::any_of(layout.modes.begin(), layout.modes.begin() + static_cast<std::ptrdiff_t>(mode), same) ||
          (!chosen.has_bins() && layout.value == chosen.column))
        fail_usage("{}: column {} is chosen twice; choose every column once", where_, chosen.name);
    }
  }

  bool header_names_known_modes() const {
    if (options_.known.empty() || options_.header == false) return false;
    return std::ranges::all_of(known_modes(), [&](const Mode& mode) {
      const auto binned = split_bins(mode.name);
      return find(mode.name) || (binned && find(binned->column));
    });
  }

  // The known modes whose positions the file states.
  std::span<const Mode> known_modes() const {
    return std::span(options_.known).first(is_column_ ? 1 : options_.known.size());
  }

  void choose_by_known_names() {
    names_found_ = true;
    std::vector<bool> used(row_.size());
    for (const Mode& mode : known_modes()) {
      mode_choices_.push_back({mode.name});
      used[resolve(mode_choices_.back(), true)] = true;
    }
    if (cells_only_) return;
    if (used.back() && std::count(used.begin(), used.end(), false) != 1)
      fail("{}: which column is the value? choose the columns by name[ (@columns)]", where_);
    const auto unused = used.back() ? std::find(used.begin(), used.end(), false) : std::prev(used.end());
    value_choice_ = Choice{{}, static_cast<std::size_t>(unused - used.begin())};
  }

  void choose_by_position() {
    const bool has_value = !(cells_only_ && order_ && static_cast<std::size_t>(*order_) == row_.size());
    const std::size_t order = row_.size() - (has_value ? 1 : 0);
    if (order_ && order != static_cast<std::size_t>(*order_))
      fail("{}: {} columns, but {} modes and a value make {}; choose the columns that are meant[ (@columns)]",
           where_, row_.size(), *order_, *order_ + 1);
    // The name of a known mode shows whether its column is divided into bins.
    for (std::size_t mode = 0; mode < order; ++mode)
      mode_choices_.push_back({mode < options_.known.size() ? options_.known[mode].name : "", mode});
    if (has_value) value_choice_ = Choice{{}, row_.size() - 1};
  }

  bool needs_header() const {
    return names_found_ || std::any_of(options_.columns.begin(), options_.columns.end(),
                                       [](const auto& c) { return is_column_name(c); });
  }

  bool has_header() const {
    const bool needed = needs_header();
    if (options_.header == false && needed)
      fail_usage("columns are chosen by name, but the file has no header; choose by number[ (@columns)]");
    if (options_.header) return *options_.header;
    if (needed) return true;
    if (value_choice_ && !cells_only_) {
      const std::string_view value = row_[resolve(*value_choice_, false)].text;
      return value.find_first_not_of(" \t") != value.npos &&
             parse_field(value).fault == NumberFault::malformed;
    }
    if (!cells_only_ && options_.known.empty())
      fail_usage(
          "{}: without a value column the first line does not show that it is a header; state whether it is[ "
          "(@header)]",
          where_);
    return !is_a_cell();
  }

  // Without a value column, a first row whose fields are all positions of the known modes is a cell, no
  // header.
  bool is_a_cell() const {
    if (options_.known.empty()) return false;
    for (std::size_t mode = 0; mode < mode_choices_.size(); ++mode) {
      const auto binned = split_bins(mode_choices_[mode].text);
      const std::string_view text = row_[resolve(mode_choices_[mode], false)].text;
      const auto& labels = options_.known[mode].labels;
      const bool fits = options_.known[mode].any ||
                        (binned           ? can_be_binned(*binned, text)
                         : labels.empty() ? parse_number<std::uint64_t>(text).has_value()
                                          : std::find(labels.begin(), labels.end(), text) != labels.end());
      if (!fits) return false;
    }
    return true;
  }

  // The column of that name in the first row, if there is one.
  std::optional<std::size_t> find(std::string_view name) const {
    const auto is_it = [&](const Field& field) { return field.text == name; };
    const auto found = std::find_if(row_.begin(), row_.end(), is_it);
    if (found == row_.end()) return {};
    if (std::count_if(row_.begin(), row_.end(), is_it) > 1)
      fail("{}: two columns are called '{}'; choose by number[ (@columns)]", where_, name);
    return static_cast<std::size_t>(found - row_.begin());
  }

  std::size_t resolve(const Choice& choice, bool header) const {
    return choice.place ? *choice.place : resolve(std::string_view(choice.text), header);
  }

  std::size_t resolve(std::string_view choice, bool header) const {
    if (header)
      if (const auto column = find(choice)) return *column;
    if (const auto number = parse_number<std::uint64_t>(choice)) {
      if (*number >= 1 && *number <= row_.size()) return *number - 1;
      fail("{}: there is no column {}; columns run from 1 to {}", where_, *number, row_.size());
    }
    if (const auto binned = split_bins(choice)) return resolve(binned->column, header);
    fail("{}: there is no column '{}'{}; without a header choose columns by number", where_, choice,
         first_line());
  }

  // If any line may be private, messages do not quote the first one.
  std::string first_line() const {
    if (options_.may_be_empty) return "";
    std::vector<std::string_view> names;
    for (const Field& field : row_) names.push_back(field.text.substr(0, 40));
    return fmt::format("; the first line names {}", fmt::join(names, ", "));
  }

  CsvMode resolve_mode(int mode, bool header) const {
    const Choice& choice = mode_choices_[mode];
    CsvMode result{resolve(choice, header), {}};
    const auto binned = header && find(choice.text) ? std::nullopt : split_bins(choice.text);
    if (binned) {
      result.width = binned->width;
      result.time = binned->time;
    }
    if (!options_.known.empty()) {
      result.name = options_.known[mode].name;
      result.numbered = !binned && !options_.known[mode].any && options_.known[mode].labels.empty();
    } else {
      // Named after the column, not after the place among the modes, since accounts of a ledger use the name.
      result.name =
          header ? std::string(row_[result.column].text) : fmt::format("column{}", result.column + 1);
      // The width in the name tells later readers with this known mode how to divide the column of their
      // file.
      if (binned) result.name += fmt::format("/{}", binned->width_text);
    }
    return result;
  }

  std::span<const Field> row_;
  const ReadOptions& options_;
  bool cells_only_;
  const std::string& where_;
  std::optional<int> order_;
  std::vector<Choice> mode_choices_;
  std::optional<Choice> value_choice_;
  bool names_found_ = false;
  bool is_column_ = false;
};

}  // namespace

bool is_column_name(std::string_view choice) {
  return choice != kNoValue && !column_number(choice);
}

CsvLayout lay_out(std::span<const Field> first_row, const ReadOptions& options, bool cells_only,
                  const std::string& where) {
  return Planner(first_row, options, cells_only, where).plan();
}

std::optional<CsvLayout> lay_out_without_rows(const ReadOptions& options, const std::string& file) {
  if (!options.may_be_empty || options.header != false) return std::nullopt;
  const auto order = expected_order(options) ? expected_order(options) : options.order;
  if (!order && options.columns.empty()) return std::nullopt;
  std::uint64_t columns = options.columns.empty() ? *order + 1 : 0;
  for (const std::string& choice : options.columns)
    columns = std::max(columns, column_number(choice).value_or(0));
  return lay_out(std::vector<Field>(columns), options, false, file);
}

}  // namespace tulle
