#include "../terminal/interrupt.hpp"
#include "../terminal/terminal.hpp"
#include "find_experiments.hpp"
#include "reproduce.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/experiment/overview.hpp>
#include <tulle/io/write.hpp>
#include <tulle/tensor/machine.hpp>

#include <sys/utsname.h>

#include <algorithm>
#include <memory>

namespace tulle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::optional<double> kQuickMinutes =
    14;  // leaves the quick version within a quarter of an hour on any machine

// An experiment with its runs, if its data are there.
struct Planned {
  ExperimentOutcome outcome;
  fs::path folder;
  std::vector<ExperimentRun> runs;
  std::unique_ptr<RunLog> log;  // null if there is nothing to run
};

Planned plan(const fs::path& path, const Reproduce& options) {
  Planned planned{.outcome = {load_experiment(path), {}, "", ""}, .folder = {}, .runs = {}, .log = {}};
  Experiment& experiment = planned.outcome.experiment;
  if (options.seeds) experiment.seeds = experiment.quick_seeds = *options.seeds;
  const std::string data = data_folder(options.data);
  planned.outcome.without = missing_data(experiment, data);
  const fs::path all = options.output.empty() ? "reproduced" : options.output;
  planned.folder = all / experiment.name;
  if (planned.outcome.without.empty()) {
    planned.runs = plan_runs(experiment, options.quick, {data, (all / "data").string()});
    planned.outcome.table = {values_of(experiment, options.quick),
                             std::vector<std::vector<ExperimentPoint>>(experiment.curves.size())};
    if (planned.runs.empty()) planned.outcome.notes = "Its runs take too long for the quick version.\n";
  }
  if (planned.runs.empty()) return planned;
  if (options.quick) planned.outcome.notes = quick_note(experiment);
  make_folder(planned.folder);
  planned.log = std::make_unique<RunLog>((planned.folder / "runs.jsonl").string(), experiment);
  return planned;
}

std::vector<ExperimentBatch> batches_of(const std::vector<Planned>& all) {
  std::vector<ExperimentBatch> batches;
  for (const Planned& planned : all)
    if (planned.log) batches.push_back({&planned.outcome.experiment, planned.runs, planned.log.get()});
  return batches;
}

void make_all(std::vector<ExperimentBatch>& batches, const Reproduce& options) {
  Progress progress("reproducing");
  ExperimentJobs jobs = jobs_of(options);
  jobs.progress = [&](std::size_t done, std::size_t total) {
    progress.show(static_cast<int>(done), static_cast<int>(total), "runs");
  };
  if (const auto minutes = options.minutes ? options.minutes : options.quick ? kQuickMinutes : std::nullopt)
    jobs.until =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(60 * *minutes));
  make_runs(batches, jobs);
}

// Returns the failures that are not findings, one line per experiment.
std::vector<std::string> finish(std::vector<Planned>& all, const std::vector<ExperimentBatch>& batches) {
  std::vector<std::string> failed;
  auto batch = batches.begin();
  for (Planned& planned : all) {
    if (!planned.log) continue;
    ExperimentOutcome& outcome = planned.outcome;
    outcome.table = summarise(outcome.experiment, planned.runs, *planned.log);
    outcome.notes += findings(outcome.experiment, batch->failures);
    if (const std::string line = other_failures(outcome.experiment, batch->failures); !line.empty())
      failed.push_back(line);
    const auto open =
        std::ranges::count_if(planned.runs, [&](const auto& run) { return !planned.log->find(run); });
    if (open < std::ssize(planned.runs)) write_table(planned.folder, outcome.experiment, outcome.table);
    if (open > 0) outcome.notes += fmt::format("{} of its {} runs are missing.\n", open, planned.runs.size());
    ++batch;
  }
  return failed;
}

std::string machine() {
  utsname system{};
  if (uname(&system) != 0) return "unknown";
  return fmt::format("{} {}, {} threads, vector instructions {}, BLAS {}", system.sysname, system.machine,
                     threads(), vector_instructions(), blas_in_use());
}

std::vector<std::pair<std::string, std::string>> about(const Reproduce& options) {
  std::string seeds = "1, 2, .. up to the number in each experiment's file";
  if (options.quick)
    seeds = "the first, or the first two: the quick version, with fewer values too (--quick)";
  if (options.seeds) seeds = fmt::format("1 to {}", *options.seeds);
  return {{"Command", fmt::format("`tulle reproduce {}{}`", options.name, options.quick ? " --quick" : "")},
          {"Version",
           fmt::format("{}{}", TULLE_VERSION, options.commit.empty() ? "" : ", commit " + options.commit)},
          {"Seeds", seeds},
          {"Machine", machine()}};
}

void print_all(const Reproduce& options, const std::vector<ExperimentOutcome>& outcomes,
               const fs::path& folder) {
  if (!options.json) {
    fmt::print("{}{} {}\n", to_text(outcomes), bold("Written:"), folder.string());
    return;
  }
  Json report = Json::array();
  for (const ExperimentOutcome& outcome : outcomes)
    report.push_back(outcome.without.empty() ? as_json(outcome.experiment, outcome.table)
                                             : skipped_json(outcome.experiment, outcome.without));
  fmt::print("{}\n", json_text(report, 2));
}

}  // namespace

void reproduce_all(const Reproduce& options) {
  std::vector<Planned> all;
  for (const fs::path& path : find_experiments(options.name)) all.push_back(plan(path, options));
  const fs::path folder = options.output.empty() ? "reproduced" : options.output;
  make_folder(folder);
  say_when_interrupted(fmt::format("finished runs are kept in {}; run it again to resume", folder.string()));
  std::vector<ExperimentBatch> batches = batches_of(all);
  make_all(batches, options);
  const std::vector<std::string> failed = finish(all, batches);
  std::vector<ExperimentOutcome> outcomes;
  for (Planned& planned : all) outcomes.push_back(std::move(planned.outcome));
  write_text((folder / "results.csv").string(), to_csv(outcomes));
  if (!options.results.empty()) write_text(options.results, to_markdown(outcomes, about(options)));
  print_all(options, outcomes, folder);
  if (!failed.empty()) fail("{}", fmt::join(failed, "; "));
}

}  // namespace tulle::cli
