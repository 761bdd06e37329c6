#include <tulle/base/error.hpp>
#include <tulle/base/printable.hpp>
#include <tulle/data/coupling.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/privacy/protected.hpp>

#include <fmt/ranges.h>

#include <algorithm>

namespace tulle {
namespace {

// A count, and its share of the whole.
std::optional<LostData> loss_of(std::size_t count, std::size_t all, std::string_view what,
                                std::string_view fate) {
  if (count == 0) return std::nullopt;
  const double share = static_cast<double>(count) / static_cast<double>(all);
  return LostData{fmt::format("{} of the {} ({:.3g} %) {}", count, what, 100 * share, fate), share};
}

std::optional<LostData> with_examples(std::optional<LostData> loss, std::vector<std::string> examples) {
  if (loss) loss->examples = std::move(examples);
  return loss;
}

constexpr std::size_t kExamples = 2;

// The range is rounded like the values. NaN is outside any range.
template <class Value>
bool is_inside(Value value, const Range& range) {
  return value >= static_cast<Value>(range.low) && value <= static_cast<Value>(range.high);
}

// `place` names the place of a value.
template <class Value, class IsInside, class Place>
std::optional<LostData> clamping_loss_of(std::span<const Value> values, const std::string& what,
                                         const IsInside& is_inside, const Place& place) {
  std::size_t outside = 0;
  std::vector<std::string> examples;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!is_inside(i) && ++outside <= kExamples)
      examples.push_back(fmt::format("{} at {}", values[i], place(i)));
  return with_examples(loss_of(outside, values.size(), "values", fmt::format("lie outside of {}.", what)),
                       std::move(examples));
}

template <class Value, class Place>
std::optional<LostData> clamping_loss_of(std::span<const Value> values, const Range& range,
                                         const Place& place) {
  return clamping_loss_of(
      values, fmt::format("the range {}:{} and were clamped to it", range.low, range.high),
      [&](std::size_t i) { return is_inside(values[i], range); }, place);
}

std::string name_of_cell(std::span<const Index> cell, const std::vector<Mode>& modes) {
  std::vector<std::string> names;
  for (std::size_t mode = 0; mode < modes.size(); ++mode)
    names.push_back(fmt::format("{} {}", modes[mode].name,
                                printable(position_name(modes[mode], cell[mode]), kShownOfALabel)));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::optional<std::string> delta_note(const Budget& budget, std::uint64_t units, std::string_view what) {
  if (budget.delta * static_cast<double>(units) < 1) return std::nullopt;
  return fmt::format("Delta {:g} is not below 1/{}, one over the number of {}: keep it far below that.",
                     budget.delta, units, what);
}

std::optional<LostData> vocabulary_loss(const Corpus& corpus) {
  std::size_t words = corpus.unknown_words;
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) words += corpus.documents[i].size();
  return with_examples(
      loss_of(corpus.unknown_words, words, "words", "are not in the vocabulary, and do not count."),
      corpus.unknown_examples);
}

std::optional<LostData> norm_loss(const Samples& samples) {
  std::size_t longer = 0;
  std::vector<std::string> examples;
  for (Eigen::Index row = 0; row < samples.rows.rows(); ++row) {
    const double norm = samples.rows.row(row).norm();
    if (norm > samples.norm && ++longer <= kExamples)
      examples.push_back(fmt::format("one of {:.4g} in row {}", norm, row + 1));
  }
  return with_examples(
      loss_of(longer, samples.size(), "vectors",
              fmt::format("are longer than the norm {}, and were shortened to it.", samples.norm)),
      std::move(examples));
}

// Entries at positions that are not public.
std::optional<LostData> dropping_loss(const CompletionData& data) {
  const std::size_t held_out = data.test ? data.test->size() : 0;
  return with_examples(loss_of(data.dropped, data.dropped + data.train_cells() + held_out, "entries",
                               "lie at positions that are not public, and do not count."),
                       data.dropped_examples);
}

void add(std::optional<LostData> loss, std::vector<LostData>& losses) {
  if (loss) losses.push_back(std::move(*loss));
}

void add(const std::vector<LostData>& losses, std::vector<std::string>& notes) {
  for (const LostData& loss : losses) notes.push_back(loss.what);
}

void add(std::optional<std::string> note, std::vector<std::string>& notes) {
  if (note) notes.push_back(std::move(*note));
}

std::uint64_t units_of(const Terms& terms, const CompletionData& data) {
  return std::visit(
      [&](const auto& tensor) -> std::uint64_t {
        return terms.unit == Unit::user ? tensor.shape()[terms.user_mode] : tensor.size();
      },
      data.train);
}

}  // namespace

std::optional<std::string> merging_note(const CompletionData& data) {
  if (data.merged_rows == 0) return std::nullopt;
  return fmt::format("{} rows list a cell that an earlier row lists; {}.", data.merged_rows,
                     merging(data.duplicates));
}

std::optional<LostData> clamping_loss(const DenseTensor& cells, const Range& range,
                                      const std::vector<Mode>& modes) {
  return clamping_loss_of(std::span(cells.values()), range, [&](std::size_t number) {
    std::vector<Index> cell(modes.size());
    for (std::size_t mode = modes.size(); mode-- > 0; number /= cells.shape()[static_cast<int>(mode)])
      cell[mode] = static_cast<Index>(number % cells.shape()[static_cast<int>(mode)]);
    return name_of_cell(cell, modes);
  });
}

std::optional<LostData> clamping_loss(const SparseTensor& cells, const Range& range,
                                      const std::vector<Mode>& modes) {
  return clamping_loss_of(std::span(cells.values()), range,
                          [&](std::size_t entry) { return name_of_cell(cells.cells().cell(entry), modes); });
}

std::vector<LostData> losses(const CompletionJob& job, const CompletionData& data) {
  if (!job.found().is_private()) return {};
  std::vector<LostData> losses = data.losses;
  // Values of several relations were scaled from their own ranges to that of the run; losses are per
  // relation.
  if (!job.fit.coupling || !job.fit.coupling->several())
    add(std::visit([&](const auto& cells) { return clamping_loss(cells, job.terms.range, data.modes); },
                   data.train),
        losses);
  add(dropping_loss(data), losses);
  return losses;
}

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data) {
  std::vector<std::string> notes;
  add(merging_note(data), notes);
  notes.insert(notes.end(), data.notes.begin(), data.notes.end());
  if (!job.found().is_private()) return notes;
  const Terms& terms = job.terms;
  if (data.test && data.test->size() == 0) notes.emplace_back("No cell was held out.");
  add(losses(job, data), notes);
  add(delta_note(terms.budget, units_of(terms, data), terms.unit == Unit::user ? "users" : "cells"), notes);
  return notes;
}

std::vector<LostData> losses(const ClassificationJob& job, const LabelledExamples& data) {
  if (!job.found().is_private()) return {};
  std::vector<LostData> losses;
  const std::span values(data.values.data(), static_cast<std::size_t>(data.values.size()));
  const auto columns = static_cast<std::size_t>(data.values.cols());
  const auto place = [&](std::size_t i) {
    const std::size_t column = i % columns;
    return fmt::format(
        "example {}, {}", i / columns + 1,
        column < data.columns.size() ? data.columns[column].name : fmt::format("value {}", column + 1));
  };
  const auto& bounds = job.options.bounds;
  if (bounds.empty())
    add(clamping_loss_of(values, job.terms.range, place), losses);
  else
    add(clamping_loss_of(
            values, "the range of their column and were clamped to it",
            [&](std::size_t i) {
              const auto [low, high] = bounds[i % columns];
              return is_inside(values[i], Range{low, high});
            },
            place),
        losses);
  add(with_examples(loss_of(data.unlisted, data.categorical, "labels of categorical columns",
                            "are in none of their public lists, and count as none."),
                    data.unlisted_examples),
      losses);
  add(loss_of(
          static_cast<std::size_t>(data.moved_labels), data.size(), "labels",
          fmt::format("are none of the {} classes, and were replaced by one of them.", data.classes.size())),
      losses);
  return losses;
}

std::vector<std::string> owner_notes(const ClassificationJob& job, const LabelledExamples& data) {
  std::vector<std::string> notes;
  if (!job.found().is_private()) return notes;
  add(losses(job, data), notes);
  add(delta_note(job.terms.budget, data.size(), "examples"), notes);
  return notes;
}

std::vector<LostData> losses(const TopicJob& job, const TopicData& data) {
  if (!job.found().is_private()) return {};
  std::vector<LostData> losses;
  if (const auto* corpus = std::get_if<Corpus>(&data))
    add(vocabulary_loss(*corpus), losses);
  else
    add(norm_loss(std::get<Samples>(data)), losses);
  return losses;
}

std::vector<std::string> owner_notes(const TopicJob& job, const TopicData& data) {
  std::vector<std::string> notes;
  if (!job.found().is_private()) return notes;
  add(losses(job, data), notes);
  const auto* corpus = std::get_if<Corpus>(&data);
  const std::size_t units = corpus ? corpus->documents.size() : std::get<Samples>(data).size();
  add(delta_note(job.terms.budget, units, corpus ? "documents" : "vectors"), notes);
  return notes;
}

std::vector<LostData> losses(const EventData& data) {
  std::vector<LostData> losses;
  add(with_examples(loss_of(data.dropped, data.dropped + data.events.size(),
                            data.users ? "cells of users with events" : "cells with events",
                            "lie at positions that are not public, and do not count."),
                    data.dropped_examples),
      losses);
  return losses;
}

// Each user has one entry for a cell.
RowsOfUsers rows_of_users(const Settings& settings, const EventData& data) {
  RowsOfUsers rows{0, std::vector<double>(data.events.shape()[data.users->mode])};
  const double per_cell = settings.get(setting::rows_per_cell).value_or(kMostEvents);
  for (std::size_t entry = 0; entry < data.events.size(); ++entry) {
    rows.all += data.events.values()[entry];
    rows.within[data.events.cells()(entry, data.users->mode)] +=
        std::min<double>(data.events.values()[entry], per_cell);
  }
  return rows;
}

std::optional<std::string> note_beyond(const RowsOfUsers& rows, double per_user) {
  double beyond = rows.all;
  for (const double of_user : rows.within) beyond -= std::min(of_user, per_user);
  const auto lost = loss_of(static_cast<std::size_t>(beyond), static_cast<std::size_t>(rows.all), "rows",
                            "are beyond those that count of a user.");
  if (!lost) return std::nullopt;
  return lost->what;
}

std::vector<std::string> owner_notes(const CountJob& job, const EventData& data) {
  std::vector<std::string> notes;
  add(losses(data), notes);
  double events = 0;
  for (const float count : data.events.values()) events += count;
  if (!data.users) {
    add(delta_note(job.terms.budget, static_cast<std::uint64_t>(events), "events"), notes);
    return notes;
  }
  if (const auto stated = job.how.settings.get(setting::rows_per_user))
    add(note_beyond(rows_of_users(job.how.settings, data), *stated), notes);
  add(delta_note(job.terms.budget, data.events.shape()[data.users->mode], "users"), notes);
  return notes;
}

std::string told(const LostData& loss) {
  if (loss.examples.empty()) return loss.what;
  return fmt::format("{} For example {}.", loss.what, fmt::join(loss.examples, " and "));
}

void state_losses(std::optional<double> most, Scope& scope) {
  if (!most) return;
  if (!(*most >= 0 && *most < 1))
    fail_usage("a share of {} cannot be lost; give 0 or more and below 1", *most);
  scope.public_facts.push_back(fmt::format(
      "that public lists leave out, and the range changes, at most {:g} % of the data", 100 * *most));
}

void refuse_losses(const std::vector<LostData>& losses, std::optional<double> most) {
  if (!most) return;
  for (const LostData& loss : losses)
    if (loss.share > *most)
      fail(
          "{} That is more than {:g} %, so the run stops; nothing was charged. Correct the public lists or "
          "the range[, or accept the loss (@accept-losses)] ({})",
          told(loss), 100 * *most, kForTheOwner);
}

}  // namespace tulle
