#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/experiment/results.hpp>
#include <tulle/report/plot.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace tulle {
namespace {

// Paths of data are part of the command: other data make another run.
std::string command_line(const ExperimentRun& run) {
  return fmt::format("tulle {}", fmt::join(run.evaluate, " "));
}

// Empty for a line that names neither its metric nor a curve of the experiment: its run is made again.
std::optional<std::string> metric_of(const Json& line, const Experiment& experiment) {
  if (line.contains("metric")) return line["metric"].get<std::string>();
  const auto curve = std::ranges::find(experiment.curves, line.value("curve", ""), &ExperimentCurve::name);
  if (curve == experiment.curves.end()) return std::nullopt;
  return experiment.metric_of(*curve);
}

ExperimentPoint point_of(double x, const std::vector<double>& values) {
  ExperimentPoint point{x, static_cast<int>(values.size())};
  for (double value : values) point.mean += value / point.runs;
  if (point.runs < 2) return point;
  // Computed relative to the largest deviation: squares of diverged values are infinite.
  double largest = 0, squares = 0;
  for (double value : values) largest = std::max(largest, std::abs(value - point.mean));
  if (largest == 0) return point;
  for (double value : values) squares += std::pow((value - point.mean) / largest, 2);
  point.standard_error = largest * std::sqrt(squares / (point.runs - 1) / point.runs);
  return point;
}

std::string cell(const ExperimentCurve& curve, const std::vector<ExperimentPoint>& points, double x) {
  for (const ExperimentPoint& point : points)
    if (curve.flat || point.x == x) return fmt::format("{:.4g}", point.mean);
  return "-";
}

// A paper's figure; it may be missing where another curve has one.
std::string figure_text(double figure) {
  return std::isnan(figure) ? fmt::format(" {:>9}", "-") : fmt::format(" {:>9.4g}", figure);
}

// Always for epsilon, and for values that span a decade.
bool has_logarithmic_x(const Experiment& experiment, const ExperimentTable& table) {
  if (table.values.empty()) return experiment.logarithmic_x;
  const auto [low, high] = std::ranges::minmax(table.values);
  return experiment.logarithmic_x || (low > 0 && (experiment.x == "epsilon" || high >= 10 * low));
}

}  // namespace

std::string csv_quoted(std::string_view text) {
  std::string result = "\"";
  for (char letter : text) result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + "\"";
}

RunLog::RunLog(std::string path, const Experiment& experiment) : path_(std::move(path)) {
  std::string complete;
  {
    std::ifstream file(path_);
    std::string line;
    while (std::getline(file, line) && !file.eof()) {
      const auto run = try_parse_json(line);
      if (!run.is_object() || !run.contains("command") || !run.contains("value"))
        fail("{}: '{}' is no run of an experiment; remove the line, or the file to run all again", path_,
             line.substr(0, 40));
      complete += line + "\n";
      if (const auto metric = metric_of(run, experiment)) values_[{run["command"], *metric}] = run["value"];
    }
  }
  std::ofstream(path_) << complete;
}

std::optional<double> RunLog::find(const ExperimentRun& run) const {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find({command_line(run), run.metric});
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void RunLog::add(const ExperimentRun& run, const std::string& curve, double value) {
  const std::lock_guard lock(mutex_);
  const std::string command = command_line(run);
  values_[{command, run.metric}] = value;
  std::ofstream file(path_, std::ios::app);
  const Json line{{"curve", curve},       {"x", run.x},     {"seed", run.seed},
                  {"metric", run.metric}, {"value", value}, {"command", command}};
  file << json_text(line) + "\n" << std::flush;
  if (!file) fail("{}: cannot be written", path_);
}

ExperimentTable summarise(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                          const RunLog& log) {
  std::vector<std::map<double, std::vector<double>>> found(experiment.curves.size());
  std::map<double, int> values;
  for (const ExperimentRun& run : runs) {
    ++values[run.x];
    if (const auto value = log.find(run)) found[run.curve][run.x].push_back(*value);
  }
  ExperimentTable table;
  for (const auto& [x, count] : values) table.values.push_back(x);
  for (const auto& curve : found) {
    table.curves.emplace_back();
    for (const auto& [x, results] : curve) table.curves.back().push_back(point_of(x, results));
  }
  return table;
}

std::string to_text(const Experiment& experiment, const ExperimentTable& table) {
  std::size_t width = experiment.x.size();
  for (const ExperimentCurve& curve : experiment.curves) width = std::max(width, curve.name.size() + 8);
  std::string text = fmt::format("{} ({}): {}\n{:<{}}", experiment.title, experiment.source,
                                 experiment.metric, experiment.x, width);
  for (double x : table.values) text += fmt::format(" {:>9}", x);
  text += "\n";
  for (std::size_t i = 0; i < experiment.curves.size(); ++i) {
    const ExperimentCurve& curve = experiment.curves[i];
    text += fmt::format("{:<{}}", curve.name, width);
    for (double x : table.values) text += fmt::format(" {:>9}", cell(curve, table.curves[i], x));
    text += "\n";
    if (curve.printed.empty()) continue;
    text += fmt::format("{:<{}}", curve.name + " (paper)", width);
    for (double x : table.values) {
      const auto at = std::ranges::find(experiment.values, x) - experiment.values.begin();
      text += figure_text(curve.printed[static_cast<std::size_t>(at)]);
    }
    text += "\n";
  }
  return text + experiment.note;
}

std::string to_csv(const Experiment& experiment, const ExperimentTable& table) {
  std::string text = fmt::format("curve,{},runs,mean,standard_error\n", experiment.x);
  for (std::size_t i = 0; i < experiment.curves.size(); ++i)
    for (const ExperimentPoint& point : table.curves[i])
      text += fmt::format("{},{},{},{},{}\n", csv_quoted(experiment.curves[i].name), point.x, point.runs,
                          point.mean, point.standard_error);
  return text;
}

std::string to_plot(const Experiment& experiment, const ExperimentTable& table) {
  Plot plot{experiment.title, experiment.x, experiment.metric, has_logarithmic_x(experiment, table), {}};
  for (std::size_t i = 0; i < experiment.curves.size(); ++i) {
    PlotSeries series{experiment.curves[i].name, {}};
    for (double x : table.values)
      for (const ExperimentPoint& point : table.curves[i])
        if (experiment.curves[i].flat || point.x == x) {
          series.points.emplace_back(x, point.mean);
          series.errors.push_back(point.standard_error);
        }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return to_svg(plot);
}

}  // namespace tulle
