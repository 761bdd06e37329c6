// Notes for the owner about the data of a run. They are private: covered by no guarantee.
#pragma once

#include <tulle/job/classify.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/job/lost_data.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tulle {

// About one table, if there is something to report: merged rows, values outside the range.
std::optional<std::string> merging_note(const CompletionData& data);
std::optional<LostData> clamping_loss(const std::variant<DenseTensor, SparseTensor>& values,
                                      const Range& range);

// All notes, and the losses among them, which matter before anything is charged.
std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data);
std::vector<std::string> owner_notes(const ClassificationJob& job, const LabelledExamples& data);
std::vector<std::string> owner_notes(const TopicJob& job, const TopicData& data);
std::vector<LostData> losses(const CompletionJob& job, const CompletionData& data);
std::vector<LostData> losses(const ClassificationJob& job, const LabelledExamples& data);
std::vector<LostData> losses(const TopicJob& job, const TopicData& data);
std::vector<std::string> owner_notes(const CountJob& job, const EventData& data);
std::vector<LostData> losses(const EventData& data);

// From this share on, the owner is told of a loss before a run is charged.
inline constexpr double kLossToTell = 0.01;

// Before anything is charged: an Error if a larger share than `most` is lost. Whether there is a model then
// depends on private data, so it becomes public, by the owner's word, that no more is lost: a fact of the
// scope.
void refuse_losses(const std::vector<LostData>& losses, double most, Scope& scope);

}  // namespace tulle
