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

inline constexpr std::size_t kShownOfALabel = 40;  // characters of it in a note

// About one table, if there is something to report: merged rows, values outside the range.
std::optional<std::string> merging_note(const CompletionData& data);
std::optional<LostData> clamping_loss(const DenseTensor& cells, const Range& range,
                                      const std::vector<Mode>& modes);
std::optional<LostData> clamping_loss(const SparseTensor& cells, const Range& range,
                                      const std::vector<Mode>& modes);

// All notes, and the losses among them, which matter before anything is charged.
std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data);
std::vector<std::string> owner_notes(const ClassificationJob& job, const LabelledExamples& data);
std::vector<std::string> owner_notes(const TopicJob& job, const TopicData& data);
std::vector<LostData> losses(const CompletionJob& job, const CompletionData& data);
std::vector<LostData> losses(const ClassificationJob& job, const LabelledExamples& data);
std::vector<LostData> losses(const TopicJob& job, const TopicData& data);
std::vector<std::string> owner_notes(const CountJob& job, const EventData& data);
std::vector<LostData> losses(const EventData& data);

// The rows of a log, and those of each user, of which in one cell no more count than the settings say: for a
// note of how many are beyond those that count of a user, where a release chooses how many that are.
struct RowsOfUsers {
  double all = 0;
  std::vector<double> within;
};
RowsOfUsers rows_of_users(const Settings& settings, const EventData& data);
std::optional<std::string> note_beyond(const RowsOfUsers& rows, double per_user);

// A run may stop where a larger share than `most` is lost; without `most` it never does. Whether there is a
// model then depends on private data, so it becomes public, by the owner's word, that no more is lost: a fact
// of the scope. Then, before anything is charged and after all that follows from public facts, an Error if
// more is lost.
void state_losses(std::optional<double> most, Scope& scope);
void refuse_losses(const std::vector<LostData>& losses, std::optional<double> most);

}  // namespace tulle
