// Runs an experiment's commands, several at a time, each as a process with one thread: a run that crashes
// affects no other, and every figure comes from one command that anyone can repeat.
#pragma once

#include <tulle/experiment/results.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct ExperimentJobs {
  std::vector<std::string> command;  // the words that start `tulle`
  int jobs = 1;
  std::function<void(std::size_t done, std::size_t total)> progress;
  std::optional<std::chrono::steady_clock::time_point> until = {};  // runs start and continue until then
};

struct ExperimentFailure {
  ExperimentRun run;
  std::string message;
};

// The runs of one experiment among several.
struct ExperimentBatch {
  const Experiment* experiment;
  std::vector<ExperimentRun> runs;
  RunLog* log;
  std::vector<ExperimentFailure> failures = {};
};

// Makes the runs that are not yet in the logs, of all experiments in one queue, so that no processor waits
// for the last run of an experiment. If the data of an experiment cannot be made, none of its runs is made.
void make_runs(std::vector<ExperimentBatch>& batches, const ExperimentJobs& jobs);

// The same for one experiment. Returns the runs that failed.
std::vector<ExperimentFailure> make_runs(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                                         RunLog& log, const ExperimentJobs& jobs);

}  // namespace tulle
