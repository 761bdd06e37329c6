// CSV and TSV. Blocks are parsed in parallel, each with its own numbering of labels. In the order of the
// file, these numbers are then mapped to those of the whole file, so labels are numbered in the order of
// their first appearance, or sorted if they are bins or if rows are merged.
#include "text/assemble.hpp"
#include "text/csv_layout.hpp"
#include "text/csv_rows.hpp"
#include "text/dialect.hpp"
#include "text/formats.hpp"
#include "text/labels.hpp"
#include "text/listing.hpp"
#include "text/output.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/io/csv_field.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kLargestBin = 9007199254740992;  // 2^53: above it, adjacent bins may have the same number

struct CsvBlock : EntryBlock {
  explicit CsvBlock(EntryBlock&& block) : EntryBlock(std::move(block)) {}
  std::vector<Labels> labels;
};

template <class Real>
Number<Real> number_in(std::string_view text) {
  if (text.empty()) return {text.data(), 0, NumberFault::malformed};
  auto number = parse_real<Real>(text.data());
  if (number.end != text.data() + text.size()) number.fault = NumberFault::malformed;
  return number;
}

// What programs write for a value that is missing.
bool says_missing(std::string_view text) {
  constexpr std::string_view kWords[] = {"NA", "N/A", "na", "n/a", "NULL", "null"};
  return text.empty() || std::ranges::find(kWords, text) != std::end(kWords);
}

// Parses the rows of one block. Functions return the fault, or nothing.
class BlockParser {
 public:
  BlockParser(std::string_view text, const Dialect& dialect, const CsvLayout& layout,
              const ReadOptions& options, bool values, SpareBlocks& spare)
      : text_(text),
        layout_(layout),
        nan_is_missing_(options.nan_is_missing),
        clamp_(options.clamp_to_float32),
        values_(values),
        numbers_(dialect.decimal_comma),
        splitter_(dialect.separator),
        block_(spare.get(count_lines(text))) {
    block_.lines = count_lines(text);
    block_.labels.resize(layout.modes.size());
  }

  CsvBlock parse() {
    const char* const end = text_.data() + text_.size();
    std::size_t line = 0;
    for (const char* at = text_.data(); at != end;) {
      const char* const next = splitter_.split(at, end);
      if (auto reason = parse_row(line)) {
        block_.error = LineError{line, std::move(*reason)};
        break;
      }
      line += static_cast<std::size_t>(std::count(at, next, '\n'));
      at = next;
    }
    return std::move(block_);
  }

 private:
  std::optional<std::string> parse_row(std::size_t line) {
    if (!splitter_.fault().empty()) return std::string(splitter_.fault());
    if (splitter_.blank()) return {};
    const auto fields = splitter_.fields();
    if (fields.size() != layout_.columns)
      return fmt::format("{} columns, but the first line has {}; correct the line", fields.size(),
                         layout_.columns);
    float value = 0;
    if (values_) {
      const Field& field = fields[*layout_.value];
      const std::string_view text = numbers_.of(trimmed(field.text));
      const auto number = clamped(number_in<float>(text), clamp_);
      if (nan_is_missing_ && (says_missing(text) || number.fault == NumberFault::nan)) return {};
      if (text.empty())
        return message("the value is empty; give one[, or have empty values read as missing (@nan-missing)]");
      if (number.fault != NumberFault::none) return explain(number.fault, field.text);
      value = number.value;
    }
    for (int mode = 0; mode < block_.order(); ++mode)
      if (layout_.modes[mode].column == kNoColumn)
        block_.column(mode)[block_.size()] = 0;
      else if (auto reason = parse_position(mode, fields[layout_.modes[mode].column]))
        return reason;
    values_ ? block_.add(line, value) : block_.add(line);
    return {};
  }

  std::optional<std::string> parse_position(int mode, const Field& field) {
    const CsvMode& column = layout_.modes[mode];
    Index& position = block_.column(mode)[block_.size()];
    if (field.text.empty() && !field.quoted)
      return fmt::format("column {} is empty; every cell needs a position in each mode", column.column + 1);
    if (column.numbered) return parse_numbered(column, trimmed(field.text), position);
    if (column.has_bins()) return parse_bin(mode, column, field, position);
    position = static_cast<Index>(block_.labels[mode].find_or_add(field.text));
    return {};
  }

  static std::optional<std::string> parse_numbered(const CsvMode& column, std::string_view text,
                                                   Index& position) {
    const auto number = parse_number<std::uint64_t>(text);
    if (!number || *number - 1 >= kMaxDimension)
      return explain_position(text, static_cast<int>(column.column) + 1);
    position = static_cast<Index>(*number - 1);
    return {};
  }

  std::optional<std::string> parse_bin(int mode, const CsvMode& column, const Field& field, Index& position) {
    if (column.time != TimeBin::none) {
      const auto bin = time_bin(trimmed(field.text), column.time);
      if (!bin)
        return fmt::format("'{}' in column {} is no time; write 2026-11-19T20:31:58, or seconds since 1970",
                           shortened(field.text), column.column + 1);
      position = static_cast<Index>(block_.labels[mode].find_or_add(*bin));
      return {};
    }
    const auto number = number_in<double>(numbers_.of(trimmed(field.text)));
    const double bin = std::floor(number.value / column.width);
    if (number.fault != NumberFault::none || !(std::abs(bin) <= kLargestBin))
      return fmt::format("'{}' in column {} cannot be divided into bins; it must be a number",
                         shortened(field.text), column.column + 1);
    bin_text_.clear();
    append_number(bin_text_, static_cast<std::int64_t>(bin));
    position = static_cast<Index>(block_.labels[mode].find_or_add(bin_text_));
    return {};
  }

  std::string_view text_;
  const CsvLayout& layout_;
  bool nan_is_missing_;
  bool clamp_;
  bool values_;
  DecimalText numbers_;
  RowSplitter splitter_;
  std::string bin_text_;
  CsvBlock block_;
};

class CsvReader {
 public:
  CsvReader(Source& source, char separator, const ReadOptions& options, bool cells_only,
            std::size_t chunk_bytes)
      : chunks_(source, Quotes::may_span_lines, chunk_bytes),
        separator_(separator),
        options_(options),
        dialect_{separator, false},
        bounds_(bounds_of(options)),
        layout_(read_layout(cells_only)),
        values_(layout_.value && !cells_only),
        entries_(chunks_, static_cast<int>(layout_.modes.size()), values_),
        spare_(static_cast<int>(layout_.modes.size()), values_),
        labels_(layout_.modes.size()),
        label_lines_(layout_.modes.size()) {
    for (std::size_t mode = 0; mode < options.known.size(); ++mode) {
      labels_[mode] = Labels(options.known[mode].labels);
      label_lines_[mode].resize(labels_[mode].size());
    }
  }

  EntryList& entries() { return entries_; }

  std::vector<Mode> read() {
    for_each_chunk(
        chunks_,
        [&](std::string_view text) {
          return BlockParser(text, dialect_, layout_, options_, values_, spare_).parse();
        },
        [&](CsvBlock&& block, std::size_t line) { take(std::move(block), line); });
    std::vector<Mode> modes;
    for (std::size_t mode = 0; mode < labels_.size(); ++mode) {
      modes.push_back({layout_.modes[mode].name, std::exchange(labels_[mode], {}).strings()});
      // The order of first appearance depends on the number of rows of a cell; if rows are merged, nothing
      // may depend on it.
      if (layout_.modes[mode].has_bins() || options_.duplicates != Duplicates::refuse)
        sort_new_labels(static_cast<int>(mode), modes.back().labels);
    }
    return modes;
  }

  bool guessed_header() const { return layout_.guessed_header; }
  bool guessed_separator() const { return dialect_.guessed; }
  std::vector<std::vector<std::size_t>>& label_lines() { return label_lines_; }

 private:
  CsvLayout read_layout(bool cells_only) {
    for (auto text = chunks_.peek(); !text.empty(); text = chunks_.peek()) {
      dialect_ = dialect_of(text.substr(0, text.find('\n')), separator_, options_.separator, options_.decimal,
                            options_.header.value_or(false) || !options_.may_be_empty);
      RowSplitter splitter(dialect_.separator);
      const char* const next = splitter.split(text.data(), text.data() + text.size());
      const std::string where = fmt::format("{}:{}", chunks_.name(), chunks_.dropped_lines() + 1);
      if (!splitter.fault().empty()) fail("{}: {}", where, splitter.fault());
      const auto length = static_cast<std::size_t>(next - text.data());
      if (!splitter.blank()) {
        CsvLayout layout = lay_out(splitter.fields(), options_, cells_only, where);
        if (layout.header) chunks_.drop(length);
        return layout;
      }
      chunks_.drop(length);
    }
    if (auto layout = lay_out_without_rows(options_, chunks_.name())) return *std::move(layout);
    fail("{}: no entries; give at least one line of labels and a value", chunks_.name());
  }

  bool may_grow(std::size_t mode) const {
    return options_.known.empty() || options_.grow || options_.known[mode].any;
  }

  void take(CsvBlock&& block, std::size_t first_line) {
    std::size_t unknown_entry = block.size();
    std::size_t unknown_mode = 0;
    for (std::size_t mode = 0; mode < labels_.size(); ++mode) {
      if (layout_.modes[mode].numbered) continue;
      const std::size_t entry = renumber(block, mode);
      if (entry == block.size()) note_lines(block, mode, first_line);
      if (entry >= unknown_entry) continue;
      unknown_entry = entry;
      unknown_mode = mode;
    }
    if (unknown_entry < block.size()) {
      const Index local = block.column(static_cast<int>(unknown_mode))[unknown_entry];
      const std::string_view label = block.labels[unknown_mode][local];
      fail(
          "{}:{}: '{}' is not among the known labels of {}{}; remove the line[, or predict new positions "
          "with @new FILE @new-mode MODE]",
          chunks_.name(), first_line + block.line_of(unknown_entry), shortened(label),
          layout_.modes[unknown_mode].name, suggestion(label, labels_[unknown_mode].strings()));
    }
    entries_.add(block, first_line, bounds_);
    spare_.put(std::move(block));
  }

  // Maps the block's own numbers of labels to those of the file. Returns the first entry whose label is
  // unknown and may not be added; positions then stay unchanged.
  std::size_t renumber(CsvBlock& block, std::size_t mode) {
    const Labels& local = block.labels[mode];
    const std::span<Index> column(block.column(static_cast<int>(mode)), block.size());
    std::vector<Index> numbers(local.size());
    for (std::size_t label = 0; label < local.size(); ++label) {
      const std::size_t number = may_grow(mode) ? labels_[mode].find_or_add(local[label], local.hash(label))
                                                : labels_[mode].find(local[label], local.hash(label));
      if (number == Labels::kNone) {
        const auto first = std::find(column.begin(), column.end(), static_cast<Index>(label));
        if (first != column.end()) return static_cast<std::size_t>(first - column.begin());
        continue;  // it occurs only in a line that was refused for another reason
      }
      numbers[label] = static_cast<Index>(number);
    }
    for (Index& position : column) position = numbers[position];
    return block.size();
  }

  // New labels are numbered in the order of the entries that have them.
  void note_lines(const CsvBlock& block, std::size_t mode, std::size_t first_line) {
    std::vector<std::size_t>& lines = label_lines_[mode];
    const std::span<const Index> column(block.column(static_cast<int>(mode)), block.size());
    for (std::size_t entry = 0; entry < column.size() && lines.size() < labels_[mode].size(); ++entry)
      if (column[entry] == lines.size()) lines.push_back(first_line + block.line_of(entry));
  }

  // Sorts new labels, which come after the known ones.
  void sort_new_labels(int mode, std::vector<std::string>& labels) {
    const std::size_t known = options_.known.empty() ? 0 : options_.known[mode].labels.size();
    if (labels.size() == known) return;  // also for a mode without labels
    const std::vector<Index> places = sort_labels(labels, known);
    entries_.renumber(mode, places);
    std::vector<std::size_t>& lines = label_lines_[static_cast<std::size_t>(mode)];
    const std::vector<std::size_t> before = lines;
    for (std::size_t label = 0; label < before.size(); ++label) lines[places[label]] = before[label];
  }

  LineChunks chunks_;
  char separator_;  // of the format
  const ReadOptions& options_;
  Dialect dialect_;
  Bounds bounds_;
  CsvLayout layout_;
  bool values_;
  EntryList entries_;
  SpareBlocks spare_;
  std::vector<Labels> labels_;
  std::vector<std::vector<std::size_t>> label_lines_;  // that first have each
};

}  // namespace

Dataset read_csv(Source& source, char separator, const ReadOptions& options, std::size_t chunk_bytes) {
  CsvReader reader(source, separator, options, false, chunk_bytes);
  auto modes = reader.read();
  Dataset data = assemble(reader.entries(), std::move(modes), options);
  data.guessed_header = reader.guessed_header();
  data.guessed_separator = reader.guessed_separator();
  data.label_lines = std::move(reader.label_lines());
  data.is_labelled = true;
  return data;
}

CellList read_csv_cells(Source& source, char separator, const ReadOptions& options, std::size_t chunk_bytes) {
  CsvReader reader(source, separator, options, true, chunk_bytes);
  auto modes = reader.read();
  return assemble_cells(reader.entries(), std::move(modes), options);
}

void write_csv(Sink& sink, char separator, const Dataset& data, const std::vector<ValueColumn>& more) {
  std::string line;
  std::size_t row = 0;
  for (const Mode& mode : data.modes) {
    append_field(line, mode.name, separator);
    line += separator;
  }
  line += "value";
  for (const ValueColumn& column : more) append_field(line += separator, column.name, separator);
  sink.write(line += '\n');
  for_each_listed(data, [&](std::span<const Index> cell, auto value) {
    line.clear();
    for (std::size_t mode = 0; mode < cell.size(); ++mode) {
      const auto& labels = data.modes[mode].labels;
      if (cell[mode] < labels.size())
        append_field(line, labels[cell[mode]], separator);
      else
        append_number(line, std::uint64_t{cell[mode]} + 1);
      line += separator;
    }
    append_number(line, value);
    for (const ValueColumn& column : more) append_number(line += separator, column.values[row]);
    ++row;
    sink.write(line += '\n');
  });
}

}  // namespace tulle
