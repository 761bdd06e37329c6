// An experiment: curves of an error over one varied quantity, each point the mean of several seeded runs of
// `tulle complete`, or of another verb. Read from experiments/NAME.toml.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct ExperimentCurve {
  std::string name;
  std::vector<std::string> arguments;  // of the command; "{x}" stands for the varied quantity
  bool flat = false;                   // does not depend on it: run at its first value only
  bool may_fail = false;               // a run that fails is a finding, not an error
  std::vector<double> printed;         // the paper's figures, where it prints any; one per value, or none
  std::string study;                   // its own study file, as below
  std::string metric;                  // its own field of the command's --json
};

// Either made anew for every seed, or files below the folder of the data sets.
struct ExperimentData {
  std::vector<std::string> generate;  // arguments of `tulle generate`
  std::string train, test;            // "{x}" as above
  std::string obtain;                 // where to get the files
  // Of `tulle couple`: the study file, beside that of the experiment. Its tables are in the folder of
  // `train`.
  std::string study;
  std::vector<std::string> arguments;  // for every curve; "{data}" stands for the folder of the data sets

  bool generated() const { return !generate.empty(); }
};

struct Experiment {
  std::string name, title, source, folder;
  std::string note;                  // for the reader of its table; whole lines
  std::string verb = "complete";     // what `tulle` is to do
  std::string metric = "test_rmse";  // a field of the command's --json
  std::string x;                     // the varied quantity
  bool logarithmic_x = false;
  std::vector<double> values, quick_values;
  int seeds = 10, quick_seeds = 2;
  std::vector<std::string> quick_leaves_out;  // curves whose runs take too long for a quick version
  // Options with their values that runs of a quick version have in place of those that are stated.
  std::vector<std::string> quick_arguments;
  ExperimentData data;
  std::vector<ExperimentCurve> curves;

  // The field of its --json that a curve shows.
  const std::string& metric_of(const ExperimentCurve& curve) const {
    return curve.metric.empty() ? metric : curve.metric;
  }
};

// An Error with file and line when it does not make sense.
Experiment load_experiment(const std::string& path);

// The file that holds the data where the varied quantity is x, below the folder of the data sets.
std::string data_file(const Experiment& experiment, double x);

// The values of a version of the experiment.
const std::vector<double>& values_of(const Experiment& experiment, bool quick);

// What a quick version does otherwise, as a line for the reader of its table; empty: nothing.
std::string quick_note(const Experiment& experiment);

// One run of the command.
struct ExperimentRun {
  std::size_t curve;
  double x;
  int seed;
  std::vector<std::string> prepare;   // arguments that make the data; empty when there is nothing to make
  std::vector<std::string> evaluate;  // arguments that complete it
  std::string metric = {};            // what counts of its report
};

struct ExperimentPlaces {
  std::string data;  // folder of the data sets
  std::string work;  // folder for what is generated
};

std::vector<ExperimentRun> plan_runs(const Experiment& experiment, bool quick,
                                     const ExperimentPlaces& places);

}  // namespace tulle
