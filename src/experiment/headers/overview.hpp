// Results of many experiments in one place: as text for a terminal, as a table for machines, and as a page of
// the documentation.
#pragma once

#include <tulle/experiment/results.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tulle {

struct ExperimentOutcome {
  Experiment experiment;
  ExperimentTable table;
  std::string without;  // why there are no results: no data, no runs; empty: there are
  std::string notes;    // lines about runs that failed
};

std::string to_text(const std::vector<ExperimentOutcome>& outcomes);
// One line per point, with the paper's figure if there is one.
std::string to_csv(const std::vector<ExperimentOutcome>& outcomes);
// `about`: facts that the figures depend on, each with its name: commit, seeds, machine.
std::string to_markdown(const std::vector<ExperimentOutcome>& outcomes,
                        const std::vector<std::pair<std::string, std::string>>& about);

}  // namespace tulle
