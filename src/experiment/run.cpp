#include "process.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/experiment/run.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
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

// An error is one line; notes come before it.
std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t before = text.rfind('\n');
  return before == text.npos ? text : text.substr(before + 1);
}

// Throws the command's error message if it failed.
std::string output_of(const std::vector<std::string>& command, const std::vector<std::string>& arguments,
                      std::optional<std::chrono::steady_clock::time_point> until = {}) {
  std::vector<std::string> words(command.begin() + 1, command.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  const ProcessResult result = run_process(command.front(), words, until);
  if (result.status < 0) fail("ended by signal {}", -result.status);
  if (result.status > 0) fail("{}", last_line(result.errors));
  return result.output;
}

// The data appear whole or not at all: the folder is renamed once it is complete.
void make_data(const std::vector<std::string>& command, std::vector<std::string> arguments) {
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

// A field of the report, or a path to it: "/guarantee/releases/1/stddev".
double metric_of(const std::string& output, const std::string& metric) {
  const auto report = try_parse_json(output);
  if (!report.is_object()) fail("the command printed no '{}'", metric);
  if (metric.starts_with('/')) {
    const Json::json_pointer place(metric);
    if (!report.contains(place) || !report[place].is_number())
      fail("the command printed no number at '{}'", metric);
    return report[place].get<double>();
  }
  if (!report.contains(metric) || !report[metric].is_number()) {
    std::vector<std::string> numbers;
    for (const auto& [field, value] : report.items())
      if (value.is_number()) numbers.push_back(field);
    fail("the command printed no '{}'; it printed {}", metric, fmt::join(numbers, ", "));
  }
  return report[metric].get<double>();
}

// A task of one of the batches, which collects its failures.
struct Task {
  ExperimentBatch* batch;
  ExperimentRun run;
};

void report_failure(const Task& task, const std::string& message) {
  task.batch->failures.push_back({task.run, message});
}

// Calls work(task) for every task and records what it throws.
void make_tasks(const std::vector<Task>& tasks, int jobs, const std::function<void(const Task&)>& work,
                const std::function<void()>& made) {
  std::mutex mutex;
  in_parallel(tasks.size(), jobs, [&](std::size_t i) {
    std::string message;
    try {
      work(tasks[i]);
    } catch (const std::exception& error) {
      message = error.what();
    }
    const std::lock_guard lock(mutex);
    if (!message.empty()) report_failure(tasks[i], message);
    made();
  });
}

void make_run(const Task& task, const ExperimentJobs& jobs) {
  const std::string output = output_of(jobs.command, task.run.evaluate, jobs.until);
  task.batch->log->add(task.run, task.batch->experiment->curves[task.run.curve].name,
                       metric_of(output, task.run.metric));
}

// Orders the first run of every curve, then the second of every curve, ..: if time allows only some, all
// experiments have results.
void breadth_first(std::vector<Task>& tasks) {
  std::map<std::pair<const ExperimentBatch*, std::size_t>, int> before;
  std::vector<std::pair<int, Task>> ranked;
  for (Task& task : tasks) ranked.emplace_back(before[{task.batch, task.run.curve}]++, std::move(task));
  std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
  tasks.clear();
  for (auto& [rank, task] : ranked) tasks.push_back(std::move(task));
}

}  // namespace

void make_runs(std::vector<ExperimentBatch>& batches, const ExperimentJobs& jobs) {
  std::vector<Task> data, open;
  std::set<std::vector<std::string>> to_make;
  std::size_t total = 0, done = 0;
  for (ExperimentBatch& batch : batches) {
    total += batch.runs.size();
    for (const ExperimentRun& run : batch.runs) {
      if (batch.log->find(run)) {
        ++done;
        continue;
      }
      open.push_back({&batch, run});
      if (!run.prepare.empty() && to_make.insert(run.prepare).second)
        data.push_back({&batch, {0, 0, 0, run.prepare, {}}});
    }
  }
  const auto late = [&] { return jobs.until && std::chrono::steady_clock::now() >= *jobs.until; };
  make_tasks(
      data, jobs.jobs,
      [&](const Task& task) {
        if (!late()) make_data(jobs.command, task.run.prepare);
      },
      [] {});
  std::erase_if(open, [](const Task& task) { return !task.batch->failures.empty(); });
  breadth_first(open);
  make_tasks(
      open, jobs.jobs,
      [&](const Task& task) {
        if (late()) return;
        try {
          make_run(task, jobs);
        } catch (const Error&) {
          if (!late()) throw;  // otherwise it was killed, and is run another time
        }
      },
      [&] {
        if (jobs.progress) jobs.progress(++done, total);
      });
}

std::vector<ExperimentFailure> make_runs(const Experiment& experiment, const std::vector<ExperimentRun>& runs,
                                         RunLog& log, const ExperimentJobs& jobs) {
  std::vector<ExperimentBatch> batches = {{&experiment, runs, &log}};
  make_runs(batches, jobs);
  return std::move(batches.front().failures);
}

}  // namespace tulle
