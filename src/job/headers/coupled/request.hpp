// What a coupled factorization is asked for, by whichever door, in one place that has all tables of its
// study. Without privacy a request is checked as a whole, reads its tables, and then runs; that of a private
// study is a completion.
#pragma once

#include <tulle/io/coupled_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/completion/request.hpp>
#include <tulle/job/couple.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace tulle {

struct StudyOptions {
  std::string study, tables;
  ReadOptions reading;  // of held-out cells

  // What of the study is changed.
  bool alone = false;
  int rank = 0;
  std::optional<Divergence> divergence;  // of all relations
  std::optional<double> floor;           // of all values
  std::optional<GammaPrior> prior;

  // What is held out.
  std::string relation, entity, test;
  std::optional<double> missing;
  std::optional<std::uint64_t> cold_start;
  int top = 10;

  // Without privacy.
  std::optional<Inference> inference;  // none: what the study says
  CoupledOptions fit;
  bool fixed_priors = false;
  // Of a private study, whose unit is the user that the study names.
  PrivacyOptions privacy;
  LedgerOptions ledger;
  std::string method = first_method(&Method::couples).name;
  Settings settings;

  std::optional<std::uint64_t> seed;

  std::string output, user_output, predictions, drawing;
  bool keep_releases = true;  // of a private study
  PageOptions page;

  OptionUses uses;

  void declare(OptionTable& table);
};

// What the study makes of the options: without privacy a job, checked, whose tables are read; or what a
// completion of the private relations is asked for, which a CompletionRequest checks and reads. A UsageError
// or an Error where it cannot be met.
std::variant<CoupleJob, CompletionOptions> coupled_request(const StudyOptions& options);
CoupledFile coupled_file(const CoupleJob& job, const CoupleOutcome& outcome);  // the model as it is saved

}  // namespace tulle
