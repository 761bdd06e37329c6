// A completion from its data to its outcome; entries move from the reader to the method without a copy.
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

// The parts of its data that a job keeps private; none without privacy. `user_mode`: for unit user, a name or
// a number from 1.
DataPrivacy privacy_of(const Method& method, Unit unit, std::optional<Relation> relation,
                       std::string user_mode);
DataPrivacy privacy_of(const CompletionJob& job);

// Reads the data with the privacy that this job requires.
CompletionData read_completion_data(const DataOptions& options, const CompletionJob& job);

class CompletionRun {
 public:
  // Checks the job and its data and picks its method, from public facts; nothing is charged or released. A
  // UsageError if the guarantee would not hold for these data (docs/guarantee-checks.md). `score_all`: errors
  // are measured on the fitted and held-out cells together, as in papers that know the whole tensor.
  // `most_lost`: the largest share of the data that the public lists and the range may take; see
  // refuse_losses().
  CompletionRun(const CompletionJob& job, CompletionData data, bool score_all = false,
                std::optional<double> most_lost = {});

  // The method that runs, if the job's method picks one; else "".
  std::string picked() const;

  // Runs as one of several sites: releases become sums over all sites; `bits` are this site's own.
  void join_sites(Curator::SiteLink link, RandomBits bits);

  // For the owner, before anything is charged: how much of the data the public lists and the range take, and
  // all notes on the data.
  const std::vector<LostData>& losses() const { return losses_; }
  const std::vector<std::string>& owner_notes() const { return owner_notes_; }

  // Call once: the method takes the entries.
  CompletionOutcome run(Pay pay, Observer observer);

  // The same with a curator from open(), without a look at held-out cells; of a private run.
  Curator open() const { return open_curator(job_.found(), job_.terms, Pay()); }
  Completion run(Curator& curator) const { return private_->run(curator); }

  // The data without their cells.
  const CompletionData& data() const { return data_; }

 private:
  Completion complete(Pay pay, Observer observer);

  CompletionJob job_;
  CompletionData data_;
  CompletionOutcome outcome_;  // as far as it is known before the run
  std::vector<LostData> losses_;
  std::vector<std::string> owner_notes_;
  std::optional<SparseTensor> scored_;  // cells to measure the error on
  std::optional<PrivateRun> private_;   // if the method is private
  std::optional<Curator::SiteLink> link_;
  std::optional<RandomBits> bits_;  // of a site
};

// The publishable part of the outcome; and, under joint privacy, the model with every user's own row, which
// is for the users alone: an Error if there is none.
ModelFile published_model(const CompletionJob& job, const CompletionOutcome& outcome,
                          const CompletionData& data);
ModelFile model_with_user_rows(const CompletionJob& job, const CompletionOutcome& outcome,
                               const CompletionData& data);

// Output paths of models. "": not saved.
struct ModelPaths {
  std::string model, with_user_rows;
};

void save_models(const ModelPaths& paths, const CompletionJob& job, const CompletionOutcome& outcome,
                 const CompletionData& data);

}  // namespace tulle

#pragma GCC visibility pop
