// The outcome of a job for machines: one JSON object that lists everything computed from private data without
// a release as the owner's.
#pragma once

#include <tulle/job/baselines.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/job/scores.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct CompletionOutcome {
  Completion completion;
  std::size_t train_cells = 0;
  // On held-out cells, if any: of the model that predicts best, with users' own rows.
  std::optional<Scores> scores;
  bool tested = false;  // whether cells were to be held out; public
  double seconds = 0;
  std::vector<std::string> owner_notes;  // notes on the data; private
  std::string picked = {};  // the method that ran, if the job's method picked it; from public facts
  // On the same cells: of the published model, if it has no rows of users and `scores` are of another model.
  std::optional<Scores> published_scores = {};
  std::optional<Baselines> baselines = {};  // on the same cells, without a model
};

struct TopicsFound {
  TopicOutcome outcome;
  std::uint64_t documents = 0;
  bool mixture = false;
  std::optional<double> error;  // e_comp
  double seconds = 0;
  std::vector<std::string> owner_notes = {};
};

struct CountsFound {
  CountOutcome outcome;
  double seconds = 0;
  std::vector<std::string> owner_notes = {};
};

// The method that ran, and the one that picked it, if any.
std::string named_method(const std::string& method, const std::string& picked);

// `history`: includes a line for every iteration.
nlohmann::ordered_json report_of(const CompletionJob& job, const CompletionOutcome& outcome, bool history);
nlohmann::ordered_json report_of(const TopicJob& job, const TopicsFound& found);
nlohmann::ordered_json report_of(const CountJob& job, const CountsFound& found);

// Under joint privacy every user predicts with her own row: `scores` are of this model.
const Model& owners_model(const Completion& completion);

// The model that scores belong to, if the published one is not the only one that predicts; else "".
std::string with_own_rows(const Completion& completion);
inline constexpr std::string_view kPublishedAlone = "published model alone";

}  // namespace tulle

#pragma GCC visibility pop
