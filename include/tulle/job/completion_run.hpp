// A completion from its data to its outcome: the entries go from the reader to the method without a copy.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/job/report.hpp>

#include <optional>
#include <string>
#include <variant>

#pragma GCC visibility push(default)

namespace tulle {

// What of its data a job keeps private. A run without privacy keeps nothing back. `user_mode`: of unit user,
// a name or a number from 1.
DataPrivacy privacy_of(const Method& method, Unit unit, std::optional<Relation> relation,
                       std::string user_mode);
DataPrivacy privacy_of(const CompletionJob& job);

// Reads the data as a run of this job needs them.
CompletionData read_completion_data(const DataOptions& options, const CompletionJob& job);

class CompletionRun {
 public:
  // Checks the job and its data and picks its method, from public facts; nothing is charged or released. A
  // UsageError where the guarantee would not hold of these data (docs/guarantee-checks.md). `score_all`:
  // errors are those on the cells that are fitted and on the held-out ones together, as papers measure them
  // that know the whole tensor. `most_lost`: what the public lists and the range may take of the data, at
  // most, as a share; see refuse_losses().
  CompletionRun(const CompletionJob& job, CompletionData data, bool score_all = false,
                std::optional<double> most_lost = {});

  // The method that runs, where the job's own one picks it; else "".
  std::string picked() const;

  // Makes it the part of one of several sites: its releases are sums over all of them, and `bits` are its
  // own.
  void join_sites(Curator::SiteLink link, RandomBits bits);

  // For the owner, before anything is charged: what the public lists and the range take of the data, and all
  // notes on them.
  const std::vector<LostData>& losses() const { return losses_; }
  const std::vector<std::string>& owner_notes() const { return owner_notes_; }

  // Once: the method takes the entries.
  CompletionOutcome run(Pay pay, Observer observer);

  // All but the cells.
  const CompletionData& data() const { return data_; }

 private:
  Completion complete(Pay pay, Observer observer);

  CompletionJob job_;
  CompletionData data_;
  CompletionOutcome outcome_;  // what is known of it before the run
  std::vector<LostData> losses_;
  std::vector<std::string> owner_notes_;
  std::optional<SparseTensor> scored_;  // cells to measure the error on
  std::optional<PrivateRun> private_;   // of a private method
  std::optional<Curator::SiteLink> link_;
  std::optional<RandomBits> bits_;  // of a site
};

// What may be published of the outcome; and, under joint privacy, the model with every user's own row, which
// is for the users alone: an Error where there is none.
ModelFile published_model(const CompletionJob& job, const CompletionOutcome& outcome,
                          const CompletionData& data);
ModelFile model_with_user_rows(const CompletionJob& job, const CompletionOutcome& outcome,
                               const CompletionData& data);

// Where models go. "": nowhere.
struct ModelPaths {
  std::string model, with_user_rows;
};

void save_models(const ModelPaths& paths, const CompletionJob& job, const CompletionOutcome& outcome,
                 const CompletionData& data);

}  // namespace tulle

#pragma GCC visibility pop
