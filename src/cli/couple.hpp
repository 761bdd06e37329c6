// What `tulle couple` is asked for, for the command and for programs that embed it.
#pragma once

#include "couple_sites.hpp"
#include "options.hpp"
#include "page/page_options.hpp"

#include <tulle/io/coupled_file.hpp>
#include <tulle/job/couple.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tulle::cli {

struct CoupleOptions {
  std::string study, relation, test, entity, inference, output, predictions, drawing;
  std::optional<double> missing, floor;
  std::optional<std::uint64_t> cold_start, seed;
  InputOptions input;
  CoupledOptions fit;
  std::string tables, divergence, prior;
  int rank = 0;
  int top = 10;
  bool json = false, fixed_priors = false, alone = false;
  SiteOptions sites;
  PageOptions page;
  OptionUses uses;

  void declare(Verb& verb);
};

// The job of one place that sees all tables, which are read.
CoupleJob couple_job(const CoupleOptions& options);
CoupledFile coupled_file(const CoupleJob& job, const CoupleOutcome& outcome);  // the model as it is saved

}  // namespace tulle::cli
