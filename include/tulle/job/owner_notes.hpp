// What the owner should know of the data of a run. It is private: covered by no guarantee.
#pragma once

#include <tulle/job/classify.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/job/lost_data.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tulle {

// On one table, where there is something to say: rows that were merged, values outside of the range.
std::optional<std::string> merging_note(const CompletionData& data);
std::optional<LostData> clamping_loss(const std::variant<DenseTensor, SparseTensor>& values,
                                      const Range& range);

// All there is to say, and of it what is lost, which is worth knowing before anything is charged.
std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data);
std::vector<std::string> owner_notes(const ClassificationJob& job, const LabelledExamples& data);
std::vector<std::string> owner_notes(const TopicJob& job, const TopicData& data);
std::vector<LostData> losses(const CompletionJob& job, const CompletionData& data);
std::vector<LostData> losses(const ClassificationJob& job, const LabelledExamples& data);
std::vector<LostData> losses(const TopicJob& job, const TopicData& data);

// From here on the owner is told before a run is charged.
inline constexpr double kLossToTell = 0.01;

// Before anything is charged: an Error where a larger share than `most` is lost. Whether there is a model
// then depends on private data, so that no more is lost becomes public, by the owner's word: a fact of the
// scope.
void refuse_losses(const std::vector<LostData>& losses, double most, Scope& scope);

}  // namespace tulle
