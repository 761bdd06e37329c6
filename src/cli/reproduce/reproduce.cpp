// tulle reproduce: runs an experiment of a paper and compares it with the published results.
#include "reproduce.hpp"

#include "../options.hpp"
#include "../run.hpp"
#include "../terminal/interrupt.hpp"
#include "../terminal/terminal.hpp"
#include "../verbs.hpp"
#include "find_experiments.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/io/write.hpp>

#include <map>
#include <utility>

namespace tulle::cli {
namespace {

namespace fs = std::filesystem;

void list_experiments(bool json) {
  Json all = Json::array();
  for (const fs::path& path : known_experiments()) {
    const Experiment experiment = load_experiment(path);
    all.push_back({{"name", experiment.name}, {"title", experiment.title}, {"source", experiment.source}});
    if (!json) fmt::print("{:<28} {} ({})\n", bold(experiment.name), experiment.title, experiment.source);
  }
  if (json) fmt::print("{}\n", json_text(all, 2));
}

bool is_finding(const Experiment& experiment, const ExperimentFailure& failure) {
  return !failure.run.evaluate.empty() && experiment.curves[failure.run.curve].may_fail;
}

// The note on earlier runs that were kept. They are identified by their commands, not by the contents of data
// files.
std::string kept(std::ptrdiff_t made, const fs::path& folder) {
  if (made == 0) return "";
  return fmt::format("{} of the runs were made before; remove {} if the data have changed since\n", made,
                     (folder / "runs.jsonl").string());
}

void run(const Reproduce& options) {
  if (options.name.empty()) return list_experiments(options.json);
  if (names_several(options.name)) return reproduce_all(options);
  if (!options.results.empty() || options.minutes)
    fail_usage("{} is for several experiments (all, or a pattern); omit it",
               with_marks(options.minutes ? "@minutes" : "@results"));
  Experiment experiment = load_experiment(find_experiment(options.name));
  if (options.seeds) experiment.seeds = experiment.quick_seeds = *options.seeds;
  const std::string data = data_folder(options.data);
  if (const std::string reason = missing_data(experiment, data); !reason.empty())
    fail("{}: {}", options.name, reason);
  const fs::path folder =
      options.output.empty() ? fs::path("reproduced") / experiment.name : fs::path(options.output);
  make_folder(folder);
  const std::vector<ExperimentRun> runs =
      plan_runs(experiment, options.quick, {data, (folder / "data").string()});
  if (runs.empty()) fail("{}: all of its curves take too long for @quick; omit it", experiment.name);
  RunLog log((folder / "runs.jsonl").string(), experiment);
  const auto made = std::ranges::count_if(runs, [&](const auto& run) { return log.find(run).has_value(); });
  say_when_interrupted(fmt::format("finished runs are kept in {}; run it again to resume", folder.string()));
  const std::vector<ExperimentFailure> failures = [&] {
    Progress progress("reproducing");
    ExperimentJobs jobs = jobs_of(options);
    jobs.progress = [&](std::size_t done, std::size_t total) {
      progress.show(static_cast<int>(done), static_cast<int>(total), "runs");
    };
    return make_runs(experiment, runs, log, jobs);
  }();
  if (const std::string failed = other_failures(experiment, failures); !failed.empty()) fail("{}", failed);
  const ExperimentTable table = summarise(experiment, runs, log);
  write_table(folder, experiment, table);
  if (options.json)
    fmt::print("{}\n", json_text(as_json(experiment, table), 2));
  else
    fmt::print("{}{}{}{}{} {}\n", to_text(experiment, table), options.quick ? quick_note(experiment) : "",
               findings(experiment, failures), kept(made, folder), bold("Written:"), folder.string());
}

}  // namespace

std::vector<std::string>& own_command() {
  static std::vector<std::string> words;
  return words;
}

ExperimentJobs jobs_of(const Reproduce& options) {
  std::vector<std::string> command = own_command();
  if (command.empty()) command = {fs::canonical("/proc/self/exe").string()};
  return {.command = std::move(command), .jobs = options.jobs > 0 ? options.jobs : threads(), .progress = {}};
}

Json skipped_json(const Experiment& experiment, const std::string& reason) {
  return {{"name", experiment.name},
          {"title", experiment.title},
          {"source", experiment.source},
          {"skipped", reason}};
}

Json as_json(const Experiment& experiment, const ExperimentTable& table) {
  Json report{{"name", experiment.name},     {"title", experiment.title}, {"source", experiment.source},
              {"metric", experiment.metric}, {"x", experiment.x},         {"curves", Json::array()}};
  if (!experiment.note.empty()) report["note"] = experiment.note;
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

std::string other_failures(const Experiment& experiment, std::vector<ExperimentFailure> failures) {
  std::erase_if(failures, [&](const auto& failure) { return is_finding(experiment, failure); });
  if (failures.empty()) return "";
  const ExperimentFailure& first = failures.front();
  return fmt::format("{}: {} runs failed; the first, tulle {}: {}", experiment.name, failures.size(),
                     fmt::join(first.run.evaluate.empty() ? first.run.prepare : first.run.evaluate, " "),
                     first.message);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("{}: {}; name another folder by -o", folder.string(), error.message());
}

void write_table(const fs::path& folder, const Experiment& experiment, const ExperimentTable& table) {
  write_text((folder / "table.csv").string(), to_csv(experiment, table));
  write_text((folder / "plot.svg").string(), to_plot(experiment, table));
}

void add_reproduce(Verb& command) {
  auto options = std::make_shared<Reproduce>();
  Verb verb = command.add_verb("reproduce", "Run experiments of papers");
  verb.add_option(
      "NAME", options->name,
      "Experiment, .toml file of your own, all, or a pattern such as 'wei2022-*' [list all experiments]");
  verb.add_option("-o,--output", options->output,
                  "Folder for runs, table and plot [reproduced/NAME]; several experiments: a folder each in "
                  "it [reproduced]");
  verb.add_option("--data", options->data, "Folder of the data sets [$TULLE_DATA]");
  verb.add_option("--jobs", options->jobs, "Number of runs at a time [the number of threads]");
  verb.add_flag("--quick", options->quick, "Use fewer values and seeds");
  verb.add_option("--seeds", options->seeds,
                  "Number of runs per point; more may follow later [as in the experiment's file]")
      .positive();
  verb.add_option("--minutes", options->minutes,
                  "Stop several experiments after this many minutes; the next run makes what is missing "
                  "[--quick: 14]")
      .positive();
  verb.add_option("--results", options->results,
                  "Also write all tables of several experiments to this file (.md)");
  verb.add_option("--commit", options->commit, "Commit to name in --results");
  declare_json(verb, options->json);
  declare_threads(verb);
  verb.footer("Example:\n  tulle reproduce wei2022-figure2-cp --quick");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
