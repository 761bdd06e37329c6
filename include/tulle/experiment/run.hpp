// Runs an experiment's commands, several at a time, each a process of its own with one thread: a run that
// crashes takes no other with it, and every figure is one command that anyone can repeat.
#pragma once

#include <tulle/experiment/results.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tulle {

struct ExperimentJobs {
  std::string command;  // the program `tulle`
  int jobs = 1;
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct ExperimentFailure {
  ExperimentRun run;
  std::string message;
};

// Makes the runs that the log does not hold yet. Answers with those that failed.
std::vector<ExperimentFailure> make_runs(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                                         RunLog& log, const ExperimentJobs& jobs);

}  // namespace tulle
