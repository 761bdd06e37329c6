// Runs an experiment's commands, several at a time, each a process of its own with one thread: a run that
// crashes takes no other with it, and every figure is one command that anyone can repeat.
#pragma once

#include <tulle/experiment/results.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct ExperimentJobs {
  std::string command;  // the program `tulle`
  int jobs = 1;
  std::function<void(std::size_t done, std::size_t total)> progress;
  std::optional<std::chrono::steady_clock::time_point> until = {};  // runs are started and go on until then
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

// Makes the runs that the logs do not hold yet, of all experiments out of one queue, so that no processor
// waits for the last run of an experiment. Of an experiment whose data cannot be made, no run is made.
void make_runs(std::vector<ExperimentBatch>& batches, const ExperimentJobs& jobs);

// The same of one. Answers with the runs that failed.
std::vector<ExperimentFailure> make_runs(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                                         RunLog& log, const ExperimentJobs& jobs);

}  // namespace tulle
