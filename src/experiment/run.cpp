#include "process.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/experiment/run.hpp>

#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

namespace tulle {
namespace {

// Calls work(0) .. work(count - 1), `jobs` at a time.
void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (int job = 0; job < jobs; ++job)
    threads.emplace_back([&] {
      for (std::size_t i; (i = next++) < count;) work(i);
    });
}

// Throws what the command said when it failed.
std::string output_of(const std::string& command, const std::vector<std::string>& arguments) {
  const ProcessResult result = run_process(command, arguments);
  if (result.status < 0) fail("ended by signal {}", -result.status);
  if (result.status > 0) fail("{}", result.output.substr(0, result.output.find('\n')));
  return result.output;
}

// The data appear whole or not at all: they are made in a folder that is renamed when it is complete.
void make_data(const std::string& command, std::vector<std::string> arguments) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(arguments.back()).parent_path();
  if (fs::exists(folder)) return;
  const fs::path unfinished = folder.string() + ".unfinished";
  fs::create_directories(unfinished);
  for (std::string& argument : arguments)
    if (fs::path(argument).parent_path() == folder) argument = unfinished / fs::path(argument).filename();
  output_of(command, arguments);
  fs::rename(unfinished, folder);
}

double metric_of(const std::string& output, const std::string& metric) {
  const auto report = try_parse_json(output);
  if (!report.is_object()) fail("the command printed no '{}'", metric);
  if (!report.contains(metric) || !report[metric].is_number()) {
    std::vector<std::string> numbers;
    for (const auto& [field, value] : report.items())
      if (value.is_number()) numbers.push_back(field);
    fail("the command printed no '{}'; it printed {}", metric, fmt::join(numbers, ", "));
  }
  return report[metric].get<double>();
}

}  // namespace

std::vector<ExperimentFailure> make_runs(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                                         RunLog& log, const ExperimentJobs& jobs) {
  std::vector<const ExperimentRun*> open;
  std::set<std::vector<std::string>> data;
  for (const ExperimentRun& run : runs) {
    if (log.find(run)) continue;
    open.push_back(&run);
    if (!run.prepare.empty()) data.insert(run.prepare);
  }
  const std::vector<std::vector<std::string>> to_make(data.begin(), data.end());
  std::vector<ExperimentFailure> failures;
  std::mutex mutex;
  std::size_t done = runs.size() - open.size();
  const auto guarded = [&](const ExperimentRun& run, const std::function<void()>& work) {
    std::string message;
    try {
      work();
    } catch (const std::exception& error) {
      message = error.what();
    }
    const std::lock_guard lock(mutex);
    if (!message.empty()) failures.push_back({run, message});
  };
  in_parallel(to_make.size(), jobs.jobs, [&](std::size_t i) {
    guarded({0, 0, 0, to_make[i], {}}, [&] { make_data(jobs.command, to_make[i]); });
  });
  if (!failures.empty()) return failures;
  in_parallel(open.size(), jobs.jobs, [&](std::size_t i) {
    const ExperimentRun& run = *open[i];
    guarded(run, [&] {
      const ExperimentCurve& curve = experiment.curves[run.curve];
      log.add(run, curve.name,
              metric_of(output_of(jobs.command, run.evaluate),
                        curve.metric.empty() ? experiment.metric : curve.metric));
    });
    const std::lock_guard lock(mutex);
    if (jobs.progress) jobs.progress(++done, runs.size());
  });
  return failures;
}

}  // namespace tulle
