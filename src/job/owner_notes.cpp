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

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data) {
  std::vector<std::string> notes;
  if (data.merged_rows > 0)
    notes.push_back(fmt::format("{} rows list a cell that an earlier row lists; {}.", data.merged_rows,
                                merging(data.duplicates)));
  if (!job.found().is_private()) return notes;
  const Terms& terms = job.terms;
  if (data.test && data.test->size() == 0) notes.emplace_back("No cell was held out.");
  if (const std::size_t outside = outside_of(terms.range, data.train); outside > 0)
    notes.push_back(
        fmt::format("{} of the values ({:.3g} %) lie outside of the range {}:{} and were clamped to it.",
                    outside, 100.0 * static_cast<double>(outside) / static_cast<double>(data.train_cells()),
                    terms.range.low, terms.range.high));
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
