// What the owner should know of the data of a run. It is private: covered by no guarantee.
#pragma once

#include <tulle/job/classify.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/jobs.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tulle {

// On one table, where there is something to say: rows that were merged, values outside of the range.
std::optional<std::string> merging_note(const CompletionData& data);
std::optional<std::string> clamping_note(const std::variant<DenseTensor, SparseTensor>& values,
                                         const Range& range);

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data);
std::vector<std::string> owner_notes(const ClassificationJob& job, const LabelledExamples& data);
std::vector<std::string> owner_notes(const TopicJob& job, const TopicData& data);

}  // namespace tulle
