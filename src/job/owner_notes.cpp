#include <tulle/data/coupling.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/owner_notes.hpp>

#include <algorithm>

namespace tulle {
namespace {

std::size_t outside_of(const Range& range, const std::variant<DenseTensor, SparseTensor>& data) {
  const auto outside = [&](double value) { return value < range.low || value > range.high; };
  return std::visit(
      [&](const auto& tensor) {
        return static_cast<std::size_t>(std::ranges::count_if(tensor.values(), outside));
      },
      data);
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
  const std::size_t outside = outside_of(range, values);
  if (outside == 0) return std::nullopt;
  const auto all = std::visit([](const auto& tensor) { return tensor.size(); }, values);
  return fmt::format("{} of the values ({:.3g} %) lie outside of the range {}:{} and were clamped to it.",
                     outside, 100.0 * static_cast<double>(outside) / static_cast<double>(all), range.low,
                     range.high);
}

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data) {
  std::vector<std::string> notes;
  const auto add = [&](std::optional<std::string> note) {
    if (note) notes.push_back(std::move(*note));
  };
  add(merging_note(data));
  if (!job.found().is_private()) return notes;
  const Terms& terms = job.terms;
  if (data.test && data.test->size() == 0) notes.emplace_back("No cell was held out.");
  // Values of several relations were moved to the range of the run, from one of their own; notes are on each.
  if (!job.fit.coupling || !job.fit.coupling->several()) add(clamping_note(data.train, terms.range));
  notes.insert(notes.end(), data.notes.begin(), data.notes.end());
  if (data.dropped > 0)
    notes.push_back(
        fmt::format("{} entries lie at positions that are not public, and do not count.", data.dropped));
  const std::uint64_t units = units_of(terms, data);
  if (terms.budget.delta * static_cast<double>(units) >= 1)
    notes.push_back(
        fmt::format("Delta {:g} is not below 1/{}, one over the number of {}: keep it far below that.",
                    terms.budget.delta, units, terms.unit == Unit::user ? "users" : "cells"));
  return notes;
}

}  // namespace tulle
