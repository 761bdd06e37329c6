// tulle reproduce: run an experiment of a paper, beside what the paper prints.
#include "input/shipped.hpp"
#include "options.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/experiment/run.hpp>
#include <tulle/io/write.hpp>

#include <cstdlib>
#include <filesystem>

namespace tulle::cli {
namespace {

namespace fs = std::filesystem;

struct Reproduce {
  std::string name, output, data;
  int jobs = 0;
  bool quick = false, json = false;
  std::optional<int> seeds;
};

// Where experiments lie: below the current folder, or where the command was installed.
std::vector<fs::path> experiment_folders() {
  std::vector<fs::path> folders = shipped_folders("experiments");
  folders.insert(folders.begin(), "experiments");
  return folders;
}

std::vector<fs::path> known_experiments() {
  std::vector<fs::path> found;
  for (const fs::path& folder : experiment_folders())
    if (fs::is_directory(folder)) {
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml") found.push_back(entry.path());
      break;
    }
  std::ranges::sort(found);
  return found;
}

fs::path find_experiment(const std::string& name) {
  if (fs::path(name).extension() == ".toml") {
    if (!fs::exists(name)) fail("{}: No such file or directory", name);
    return name;
  }
  std::vector<std::string> names;
  for (const fs::path& path : known_experiments()) {
    if (path.stem() == name) return path;
    names.push_back(path.stem());
  }
  fail_usage("there is no experiment '{}'{}; give a .toml file, or one of: {}", name, suggestion(name, names),
             fmt::join(names, ", "));
}

void list_experiments(bool json) {
  Json all = Json::array();
  for (const fs::path& path : known_experiments()) {
    const Experiment experiment = load_experiment(path);
    all.push_back({{"name", experiment.name}, {"title", experiment.title}, {"source", experiment.source}});
    if (!json) fmt::print("{:<28} {} ({})\n", bold(experiment.name), experiment.title, experiment.source);
  }
  if (json) fmt::print("{}\n", json_text(all, 2));
}

std::string data_folder(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const char* from_environment = std::getenv("TULLE_DATA");
  return from_environment ? from_environment : "";
}

// Why the data cannot be had here; empty: they are there.
std::string missing_data(const Experiment& experiment, const std::string& folder) {
  const ExperimentData& data = experiment.data;
  const std::string file = data_file(experiment, experiment.values.front());
  if (data.generated() || (!folder.empty() && fs::exists(fs::path(folder) / file))) return "";
  return fmt::format("there is no {}{}; name the folder of the data by --data or TULLE_DATA{}", file,
                     folder.empty() ? "" : " in " + folder,
                     data.obtain.empty() ? "" : " (get it from " + data.obtain + ")");
}

// Missing data are no failure where their folder was not named: many experiments are run in a row, on what
// there is.
void print_skipped(const Experiment& experiment, const std::string& reason, bool json) {
  const Json report{{"name", experiment.name},
                    {"title", experiment.title},
                    {"source", experiment.source},
                    {"skipped", reason}};
  if (json)
    fmt::print("{}\n", json_text(report, 2));
  else
    fmt::print("{}: skipped: {}\n", experiment.name, reason);
}

Json as_json(const Experiment& experiment, const ExperimentTable& table) {
  Json report{{"name", experiment.name},     {"title", experiment.title}, {"source", experiment.source},
              {"metric", experiment.metric}, {"x", experiment.x},         {"curves", Json::array()}};
  for (std::size_t i = 0; i < experiment.curves.size(); ++i) {
    Json points = Json::array();
    for (const ExperimentPoint& point : table.curves[i])
      points.push_back({{"x", point.x},
                        {"mean", point.mean},
                        {"standard_error", point.standard_error},
                        {"runs", point.runs}});
    report["curves"].push_back({{"name", experiment.curves[i].name}, {"points", points}});
    if (!experiment.curves[i].printed.empty())
      report["curves"].back()["printed"] = experiment.curves[i].printed;
  }
  return report;
}

bool is_finding(const Experiment& experiment, const ExperimentFailure& failure) {
  return !failure.run.evaluate.empty() && experiment.curves[failure.run.curve].may_fail;
}

// Failures that are findings: how many there are at each point, and what the first of them said.
std::string findings(const Experiment& experiment, const std::vector<ExperimentFailure>& failures) {
  std::map<std::pair<std::size_t, double>, std::pair<int, std::string>> points;
  for (const ExperimentFailure& failure : failures) {
    if (!is_finding(experiment, failure)) continue;
    auto& [count, message] = points[{failure.run.curve, failure.run.x}];
    if (count++ == 0) message = failure.message;
  }
  std::string text;
  for (const auto& [point, failed] : points)
    text += fmt::format("{} at {} {:g}: {} runs failed ({})\n", experiment.curves[point.first].name,
                        experiment.x, point.second, failed.first, failed.second);
  return text;
}

void report_failures(const Experiment& experiment, std::vector<ExperimentFailure> failures) {
  std::erase_if(failures, [&](const auto& failure) { return is_finding(experiment, failure); });
  if (failures.empty()) return;
  const ExperimentFailure& first = failures.front();
  fail("{}: {} runs failed; the first, tulle {}: {}", experiment.name, failures.size(),
       fmt::join(first.run.evaluate.empty() ? first.run.prepare : first.run.evaluate, " "), first.message);
}

// Runs are known by their commands: what the data files hold is not compared.
std::string kept(std::ptrdiff_t made, const fs::path& folder) {
  if (made == 0) return "";
  return fmt::format("{} of the runs were made before; remove {} if the data have changed since\n", made,
                     (folder / "runs.jsonl").string());
}

void run(const Reproduce& options) {
  if (options.name.empty()) return list_experiments(options.json);
  Experiment experiment = load_experiment(find_experiment(options.name));
  if (options.seeds) experiment.seeds = experiment.quick_seeds = *options.seeds;
  const std::string data = data_folder(options.data);
  if (const std::string reason = missing_data(experiment, data); !reason.empty()) {
    if (!options.data.empty()) fail("{}: {}", options.name, reason);
    return print_skipped(experiment, reason, options.json);
  }
  const fs::path folder =
      options.output.empty() ? fs::path("reproduced") / experiment.name : fs::path(options.output);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("{}: {}; name another folder by -o", folder.string(), error.message());

  const std::vector<ExperimentRun> runs =
      plan_runs(experiment, options.quick, {data, (folder / "data").string()});
  RunLog log((folder / "runs.jsonl").string());
  const auto made = std::ranges::count_if(runs, [&](const auto& run) { return log.find(run).has_value(); });
  say_when_interrupted(fmt::format("finished runs are kept in {}; run it again to resume", folder.string()));
  const std::vector<ExperimentFailure> failures = [&] {
    Progress progress("reproducing");
    return make_runs(experiment, runs, log,
                     {.command = fs::canonical("/proc/self/exe"),
                      .jobs = options.jobs > 0 ? options.jobs : threads(),
                      .progress = [&](std::size_t done, std::size_t total) {
                        progress.show(static_cast<int>(done), static_cast<int>(total), "runs");
                      }});
  }();
  report_failures(experiment, failures);
  const ExperimentTable table = summarise(experiment, runs, log);
  write_text((folder / "table.csv").string(), to_csv(experiment, table));
  write_text((folder / "plot.svg").string(), to_plot(experiment, table));
  if (options.json)
    fmt::print("{}\n", json_text(as_json(experiment, table), 2));
  else
    fmt::print("{}{}{}{} {}\n", to_text(experiment, table), findings(experiment, failures),
               kept(made, folder), bold("Written:"), folder.string());
}

}  // namespace

void add_reproduce(Verb& command) {
  auto options = std::make_shared<Reproduce>();
  Verb verb = command.add_verb("reproduce", "Run an experiment of a paper");
  verb.add_option("NAME", options->name, "An experiment, or a .toml file of your own [list them]");
  verb.add_option("-o,--output", options->output, "Folder for runs, table and plot [reproduced/NAME]");
  verb.add_option("--data", options->data, "Folder of the data sets [$TULLE_DATA]");
  verb.add_option("--jobs", options->jobs, "Runs at a time [the threads]");
  verb.add_flag("--quick", options->quick, "Fewer values and seeds");
  verb.add_option("--seeds", options->seeds, "Runs of each point; more may follow later [those of the file]")
      .positive();
  declare_json(verb, options->json);
  declare_threads(verb);
  verb.footer("Example:\n  tulle reproduce wei2022-figure2-cp --quick");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
