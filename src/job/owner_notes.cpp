#include <tulle/base/error.hpp>
#include <tulle/data/coupling.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/privacy/protected.hpp>

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

// The range is rounded like the values. NaN is outside any range.
template <class Value>
std::optional<LostData> clamping_loss_of(std::span<const Value> values, const Range& range) {
  const auto low = static_cast<Value>(range.low), high = static_cast<Value>(range.high);
  const auto outside = [&](Value value) { return !(value >= low && value <= high); };
  return loss_of(
      static_cast<std::size_t>(std::ranges::count_if(values, outside)), values.size(), "values",
      fmt::format("lie outside of the range {}:{} and were clamped to it.", range.low, range.high));
}

std::optional<std::string> delta_note(const Budget& budget, std::uint64_t units, std::string_view what) {
  if (budget.delta * static_cast<double>(units) < 1) return std::nullopt;
  return fmt::format("Delta {:g} is not below 1/{}, one over the number of {}: keep it far below that.",
                     budget.delta, units, what);
}

std::optional<LostData> vocabulary_loss(const Corpus& corpus) {
  std::size_t words = corpus.unknown_words;
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) words += corpus.documents[i].size();
  return loss_of(corpus.unknown_words, words, "words", "are not in the vocabulary, and do not count.");
}

std::optional<LostData> norm_loss(const Samples& samples) {
  const auto longer = (samples.rows.rowwise().norm().array() > samples.norm).count();
  return loss_of(static_cast<std::size_t>(longer), samples.size(), "vectors",
                 fmt::format("are longer than the norm {}, and were shortened to it.", samples.norm));
}

// Entries at positions that are not public.
std::optional<LostData> dropping_loss(const CompletionData& data) {
  const std::size_t held_out = data.test ? data.test->size() : 0;
  return loss_of(data.dropped, data.dropped + data.train_cells() + held_out, "entries",
                 "lie at positions that are not public, and do not count.");
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

// How many rows count, where each user has one entry for a cell.
double rows_within(const Settings& settings, const EventData& data) {
  const int per_user = settings.get(setting::rows_per_user).value_or(0);
  const int per_cell = settings.get(setting::rows_per_cell).value_or(per_user);
  std::vector<double> rows(data.events.shape()[data.users->mode]);
  for (std::size_t entry = 0; entry < data.events.size(); ++entry)
    rows[data.events.cells()(entry, data.users->mode)] +=
        std::min<double>(data.events.values()[entry], per_cell);
  double sum = 0;
  for (const double of_user : rows) sum += std::min<double>(of_user, per_user);
  return sum;
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

std::optional<LostData> clamping_loss(const std::variant<DenseTensor, SparseTensor>& values,
                                      const Range& range) {
  return std::visit([&](const auto& tensor) { return clamping_loss_of(std::span(tensor.values()), range); },
                    values);
}

std::vector<LostData> losses(const CompletionJob& job, const CompletionData& data) {
  if (!job.found().is_private()) return {};
  std::vector<LostData> losses = data.losses;
  // Values of several relations were scaled from their own ranges to that of the run; losses are per
  // relation.
  if (!job.fit.coupling || !job.fit.coupling->several())
    add(clamping_loss(data.train, job.terms.range), losses);
  add(dropping_loss(data), losses);
  return losses;
}

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data) {
  std::vector<std::string> notes;
  add(merging_note(data), notes);
  if (!job.found().is_private()) return notes;
  const Terms& terms = job.terms;
  if (data.test && data.test->size() == 0) notes.emplace_back("No cell was held out.");
  add(losses(job, data), notes);
  notes.insert(notes.end(), data.notes.begin(), data.notes.end());
  add(delta_note(terms.budget, units_of(terms, data), terms.unit == Unit::user ? "users" : "cells"), notes);
  return notes;
}

std::vector<LostData> losses(const ClassificationJob& job, const LabelledExamples& data) {
  if (!job.found().is_private()) return {};
  std::vector<LostData> losses;
  const auto values = static_cast<std::size_t>(data.values.size());
  add(clamping_loss_of(std::span(data.values.data(), values), job.terms.range), losses);
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
  add(loss_of(data.dropped, data.dropped + data.events.size(),
              data.users ? "cells of users with events" : "cells with events",
              "lie at positions that are not public, and do not count."),
      losses);
  return losses;
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
  const auto beyond = static_cast<std::size_t>(std::max(0.0, events - rows_within(job.how.settings, data)));
  if (const auto lost =
          loss_of(beyond, static_cast<std::size_t>(events), "rows", "are beyond those that count of a user."))
    notes.push_back(lost->what);
  add(delta_note(job.terms.budget, data.events.shape()[data.users->mode], "users"), notes);
  return notes;
}

void refuse_losses(const std::vector<LostData>& losses, double most, Scope& scope) {
  if (!(most >= 0 && most < 1)) fail_usage("a share of {} cannot be lost; give 0 or more and below 1", most);
  for (const LostData& loss : losses)
    if (loss.share > most)
      fail(
          "{} That is more than {:g} %, so the run stops; nothing was charged. Correct the public lists or "
          "the "
          "range, or allow more ({})",
          loss.what, 100 * most, kForTheOwner);
  scope.public_facts.push_back(
      fmt::format("that the public lists and the range take {:g} % of the data at most, each", 100 * most));
}

}  // namespace tulle
