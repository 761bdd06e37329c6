#include <tulle/data/coupling.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/owner_notes.hpp>

#include <algorithm>

namespace tulle {
namespace {

// A count of something, and how much of all that is.
std::string part_of(std::size_t count, std::size_t all, std::string_view what) {
  return fmt::format("{} of the {} ({:.3g} %)", count, what,
                     100.0 * static_cast<double>(count) / static_cast<double>(all));
}

// The range is rounded as the values were. NaN is outside of any range.
template <class Value>
std::optional<std::string> clamping_note_of(std::span<const Value> values, const Range& range) {
  const auto low = static_cast<Value>(range.low), high = static_cast<Value>(range.high);
  const auto outside = [&](Value value) { return !(value >= low && value <= high); };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(values, outside));
  if (count == 0) return std::nullopt;
  return fmt::format("{} lie outside of the range {}:{} and were clamped to it.",
                     part_of(count, values.size(), "values"), range.low, range.high);
}

std::optional<std::string> delta_note(const Budget& budget, std::uint64_t units, std::string_view what) {
  if (budget.delta * static_cast<double>(units) < 1) return std::nullopt;
  return fmt::format("Delta {:g} is not below 1/{}, one over the number of {}: keep it far below that.",
                     budget.delta, units, what);
}

std::optional<std::string> vocabulary_note(const Corpus& corpus) {
  if (corpus.unknown_words == 0) return std::nullopt;
  std::size_t words = corpus.unknown_words;
  for (std::size_t i = 0; i < corpus.documents.size(); ++i) words += corpus.documents[i].size();
  return fmt::format("{} are not in the vocabulary, and do not count.",
                     part_of(corpus.unknown_words, words, "words"));
}

std::optional<std::string> norm_note(const Samples& samples) {
  const auto longer = (samples.rows.rowwise().norm().array() > samples.norm).count();
  if (longer == 0) return std::nullopt;
  return fmt::format("{} are longer than the norm {}, and were shortened to it.",
                     part_of(static_cast<std::size_t>(longer), samples.size(), "vectors"), samples.norm);
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

std::optional<std::string> clamping_note(const std::variant<DenseTensor, SparseTensor>& values,
                                         const Range& range) {
  return std::visit([&](const auto& tensor) { return clamping_note_of(std::span(tensor.values()), range); },
                    values);
}

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data) {
  std::vector<std::string> notes;
  add(merging_note(data), notes);
  if (!job.found().is_private()) return notes;
  const Terms& terms = job.terms;
  if (data.test && data.test->size() == 0) notes.emplace_back("No cell was held out.");
  // Values of several relations were moved to the range of the run, from one of their own; notes are on each.
  if (!job.fit.coupling || !job.fit.coupling->several()) add(clamping_note(data.train, terms.range), notes);
  notes.insert(notes.end(), data.notes.begin(), data.notes.end());
  if (data.dropped > 0)
    notes.push_back(
        fmt::format("{} entries lie at positions that are not public, and do not count.", data.dropped));
  add(delta_note(terms.budget, units_of(terms, data), terms.unit == Unit::user ? "users" : "cells"), notes);
  return notes;
}

std::vector<std::string> owner_notes(const ClassificationJob& job, const LabelledExamples& data) {
  std::vector<std::string> notes;
  if (!job.found().is_private()) return notes;
  const auto values = static_cast<std::size_t>(data.values.size());
  add(clamping_note_of(std::span(data.values.data(), values), job.terms.range), notes);
  if (data.moved_labels > 0)
    notes.push_back(fmt::format("{} are none of the {} classes, and were replaced by one of them.",
                                part_of(data.moved_labels, data.size(), "labels"), data.classes.size()));
  add(delta_note(job.terms.budget, data.size(), "examples"), notes);
  return notes;
}

std::vector<std::string> owner_notes(const TopicJob& job, const TopicData& data) {
  std::vector<std::string> notes;
  if (!job.found().is_private()) return notes;
  const Budget& budget = job.terms.budget;
  if (const auto* corpus = std::get_if<Corpus>(&data)) {
    add(vocabulary_note(*corpus), notes);
    add(delta_note(budget, corpus->documents.size(), "documents"), notes);
  } else {
    const auto& samples = std::get<Samples>(data);
    add(norm_note(samples), notes);
    add(delta_note(budget, samples.size(), "vectors"), notes);
  }
  return notes;
}

}  // namespace tulle
