// An experiment: curves of an error over one varied quantity, each point the mean of several seeded runs of
// `tulle complete` or another verb. Read from experiments/NAME.toml.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct ExperimentCurve {
  std::string name;
  std::vector<std::string> arguments;  // of the command; "{x}" is replaced by the varied quantity
  bool flat = false;                   // does not depend on it: runs at its first value only
  bool may_fail = false;               // a failing run is a finding, not an error
  std::vector<double> printed;         // the paper's figures, if it prints any; one per value, or none
  std::string study;                   // its own study file, as in ExperimentData
  std::string metric;                  // its own field of the command's --json
};

// The data are generated for every seed, or are files below the folder of the data sets.
struct ExperimentData {
  std::vector<std::string> generate;  // arguments of `tulle generate`
  std::string train, test;            // may contain "{x}"
  std::string obtain;                 // where to get the files
  // For `tulle couple`: the study file, in the folder of the experiment. Its tables are in the folder of
  // `train`.
  std::string study;
  std::vector<std::string> arguments;  // for every curve; "{data}" is replaced by the folder of the data sets

  bool generated() const { return !generate.empty(); }
};

struct Experiment {
  std::string name, title, source, folder;
  std::string note;                  // for the reader of its table; whole lines
  std::string verb = "complete";     // the verb of `tulle` to run
  std::string metric = "test_rmse";  // a field of the command's --json
  std::string x;                     // the varied quantity
  bool logarithmic_x = false;
  std::vector<double> values, quick_values;
  int seeds = 10, quick_seeds = 2;
  std::vector<std::string> quick_leaves_out;  // curves that take too long for a quick version
  // Options and values that replace the stated ones in runs of a quick version.
  std::vector<std::string> quick_arguments;
  ExperimentData data;
  std::vector<ExperimentCurve> curves;

  // The field of the command's --json that a curve shows.
  const std::string& metric_of(const ExperimentCurve& curve) const {
    return curve.metric.empty() ? metric : curve.metric;
  }
};

// An Error with file and line if the file is not a valid experiment.
Experiment load_experiment(const std::string& path);

// The data file for value x of the varied quantity, below the folder of the data sets.
std::string data_file(const Experiment& experiment, double x);

// The values of x in a version of the experiment.
const std::vector<double>& values_of(const Experiment& experiment, bool quick);

// The differences of a quick version, as a line for the reader of its table; empty: none.
std::string quick_note(const Experiment& experiment);

// One run of the command.
struct ExperimentRun {
  std::size_t curve;
  double x;
  int seed;
  std::vector<std::string> prepare;   // arguments that make the data; empty if they need not be made
  std::vector<std::string> evaluate;  // arguments of the run itself
  std::string metric = {};            // field of its report that counts
};

struct ExperimentPlaces {
  std::string data;  // folder of the data sets
  std::string work;  // folder for generated files
};

std::vector<ExperimentRun> plan_runs(const Experiment& experiment, bool quick,
                                     const ExperimentPlaces& places);

}  // namespace tulle
