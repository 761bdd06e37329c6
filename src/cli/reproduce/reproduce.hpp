// tulle reproduce for one experiment or for several.
#pragma once

#include <tulle/base/json.hpp>
#include <tulle/experiment/run.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

struct Reproduce {
  std::string name, output, data, results, commit;
  int jobs = 0;
  bool quick = false, json = false;
  std::optional<int> seeds;
  std::optional<double> minutes;
};

ExperimentJobs jobs_of(const Reproduce& options);
Json as_json(const Experiment& experiment, const ExperimentTable& table);
Json skipped_json(const Experiment& experiment, const std::string& reason);

// Describes failures that are findings: their number at each point, and the message of the first.
std::string findings(const Experiment& experiment, const std::vector<ExperimentFailure>& failures);
// The other failures in one line; empty: none.
std::string other_failures(const Experiment& experiment, std::vector<ExperimentFailure> failures);

// Creates the folder; writes table.csv and plot.svg there.
void make_folder(const std::filesystem::path& folder);
void write_table(const std::filesystem::path& folder, const Experiment& experiment,
                 const ExperimentTable& table);

void reproduce_all(const Reproduce& options);

}  // namespace tulle::cli
