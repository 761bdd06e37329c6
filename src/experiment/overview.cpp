#include <tulle/experiment/overview.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// A paper's figure at a value; NaN if it has none.
double printed_at(const Experiment& experiment, const ExperimentCurve& curve, double x) {
  const auto at = std::ranges::find(experiment.values, x) - experiment.values.begin();
  if (curve.printed.empty() || at == std::ssize(experiment.values)) return std::nan("");
  return curve.printed[static_cast<std::size_t>(at)];
}

// Escapes vertical bars, which would end a cell of a table.
std::string in_cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string ours(const ExperimentCurve& curve, const std::vector<ExperimentPoint>& points, double x) {
  for (const ExperimentPoint& point : points)
    if (curve.flat || point.x == x)
      return point.runs > 1 ? fmt::format("{:.4g} ± {:.1g}", point.mean, point.standard_error)
                            : fmt::format("{:.4g}", point.mean);
  return "-";
}

using Points = std::vector<ExperimentPoint>;

std::string markdown_rows(const ExperimentOutcome& outcome) {
  const Experiment& experiment = outcome.experiment;
  std::string text = fmt::format("| {} |", in_cell(experiment.x)), line = "|---|";
  for (double x : outcome.table.values) {
    text += fmt::format(" {} |", x);
    line += "---|";
  }
  text += "\n" + line + "\n";
  for (std::size_t i = 0; i < experiment.curves.size(); ++i) {
    const ExperimentCurve& curve = experiment.curves[i];
    text += fmt::format("| {} |", in_cell(curve.name));
    for (double x : outcome.table.values)
      text += fmt::format(" {} |", ours(curve, outcome.table.curves[i], x));
    text += "\n";
    if (curve.printed.empty()) continue;
    text += "| *the paper* |";
    for (double x : outcome.table.values) {
      const double figure = printed_at(experiment, curve, x);
      text += std::isnan(figure) ? " - |" : fmt::format(" *{:.4g}* |", figure);
    }
    text += "\n";
  }
  return text;
}

// Whether runs were possible but none was made.
bool waits(const ExperimentOutcome& outcome) {
  return outcome.without.empty() && std::ranges::all_of(outcome.table.curves, &Points::empty);
}

}  // namespace

std::string to_text(const std::vector<ExperimentOutcome>& outcomes) {
  std::string text;
  for (const ExperimentOutcome& outcome : outcomes) {
    text += fmt::format("{}: ", outcome.experiment.name);
    text += outcome.without.empty() ? to_text(outcome.experiment, outcome.table) : outcome.without + "\n";
    text += outcome.notes + "\n";
  }
  return text;
}

std::string to_csv(const std::vector<ExperimentOutcome>& outcomes) {
  std::string text = "experiment,metric,curve,x,runs,mean,standard_error,paper\n";
  for (const ExperimentOutcome& outcome : outcomes) {
    const Experiment& experiment = outcome.experiment;
    for (std::size_t i = 0; i < outcome.table.curves.size(); ++i)
      for (const ExperimentPoint& point : outcome.table.curves[i]) {
        const double figure = printed_at(experiment, experiment.curves[i], point.x);
        text += fmt::format("{},{},{},{},{},{},{},{}\n", experiment.name, experiment.metric,
                            csv_quoted(experiment.curves[i].name), point.x, point.runs, point.mean,
                            point.standard_error, std::isnan(figure) ? "" : fmt::format("{}", figure));
      }
  }
  return text;
}

std::string to_markdown(const std::vector<ExperimentOutcome>& outcomes,
                        const std::vector<std::pair<std::string, std::string>>& about) {
  std::string text =
      "# Results\n\nExperiments of the papers that the data at hand allow, ours beside what the paper "
      "states. Written by the command below; do not edit. Figures of ours are means over seeds, with their "
      "standard errors where there are several; *published* runs are the algorithm of the paper, whose "
      "guarantee may not be proven, all others are sound or without privacy "
      "([methods.md](methods.md)).\n\n";
  for (const auto& [name, value] : about) text += fmt::format("- {}: {}\n", name, value);
  std::string waiting;
  for (const ExperimentOutcome& outcome : outcomes) {
    const Experiment& experiment = outcome.experiment;
    if (waits(outcome)) {
      waiting += fmt::format("- {}\n", experiment.name);
      continue;
    }
    text += fmt::format("\n## {}\n\n{} ({}). Metric: `{}`.\n\n", experiment.name, experiment.title,
                        experiment.source, experiment.metric);
    text += outcome.without.empty() ? markdown_rows(outcome) : fmt::format("Not run: {}.\n", outcome.without);
    if (outcome.without.empty() && !experiment.note.empty()) text += "\n" + experiment.note;
    if (!outcome.notes.empty()) text += "\n" + outcome.notes;
  }
  if (!waiting.empty()) text += "\n## Not run yet\n\n" + waiting;
  return text;
}

}  // namespace tulle
