// Results of an experiment's runs, in a file of JSON lines that grows run by run, so that an interrupted
// experiment resumes where it stopped.
#pragma once

#include <tulle/experiment/experiment.hpp>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle {

class RunLog {
 public:
  // Reads an existing file; a last line that was cut off is dropped. Lines of earlier versions do not name
  // their metric: it is that of their curve in the experiment.
  explicit RunLog(std::string path, const Experiment& experiment = {});

  std::optional<double> find(const ExperimentRun& run) const;
  void add(const ExperimentRun& run, const std::string& curve, double value);  // from any thread

 private:
  std::string path_;
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, double> values_;  // by the whole command line and the metric
};

// Mean and standard error of a curve at each value.
struct ExperimentPoint {
  double x = 0;
  int runs = 0;
  double mean = 0, standard_error = 0;
};

struct ExperimentTable {
  std::vector<double> values;
  std::vector<std::vector<ExperimentPoint>> curves;  // points that have runs, one list per curve
};

ExperimentTable summarise(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                          const RunLog& log);
std::string csv_quoted(std::string_view text);  // a cell

std::string to_text(const Experiment& experiment, const ExperimentTable& table);  // for people
std::string to_csv(const Experiment& experiment, const ExperimentTable& table);
std::string to_plot(const Experiment& experiment, const ExperimentTable& table);  // SVG

}  // namespace tulle
