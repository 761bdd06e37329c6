#include "task.hpp"

#include <tulle/base/threads.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace nb = nanobind;

namespace tulle::python {
namespace {

constexpr auto kTaskPoll = std::chrono::milliseconds(50);
constexpr auto kTaskPatience = std::chrono::milliseconds(250);
constexpr auto kExitPatience = std::chrono::seconds(5);

// Before a run is charged. What the owner is warned of is private: where warnings are errors, one that ended
// the run would tell of it.
void warn_owner(const std::string& note) {
  const nb::gil_scoped_acquire held;
  if (PyErr_WarnEx(PyExc_UserWarning, note.c_str(), 1) != 0) PyErr_WriteUnraisable(nullptr);
}

// Of the fit that runs, for whoever interrupts it.
std::mutex said_mutex;
std::string said;

void say_when_interrupted(std::string what) {
  const std::lock_guard lock(said_mutex);
  said = std::move(what);
}

struct Task {
  std::function<void(const Watcher&)> work;
  std::atomic<bool> stopped = false;
  std::atomic<int> step = 0, limit = 0;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr error;

  void run() {
    const Observer observer = [this](const Iteration& iteration) {
      step = iteration.number;
      limit = iteration.limit;
      return !stopped;
    };
    try {
      work({.observer = observer,
            .tell_owner = warn_owner,
            .when_interrupted = say_when_interrupted,
            .stopped = [this] { return stopped.load(); }});
    } catch (...) {
      error = std::current_exception();
    }
    work = {};
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  }

  bool has_ended() {
    const std::lock_guard lock(mutex);
    return done;
  }

  bool wait(std::chrono::milliseconds patience) {
    const nb::gil_scoped_release released;
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, patience, [this] { return done; });
  }
};

struct Abandoned {
  std::shared_ptr<Task> task;
  nb::object kept;
};

// Never destroyed: the interpreter is gone before.
std::vector<Abandoned>& abandoned_tasks() {
  static auto* all = new std::vector<Abandoned>;
  return *all;
}

// At the very end of the process, after the interpreter has closed all files: what an abandoned task works
// with must not be destroyed while it runs.
void leave_abandoned(int status, void*) {
  const auto runs = [](const Abandoned& each) { return !each.task->has_ended(); };
  if (std::ranges::none_of(abandoned_tasks(), runs)) return;
  std::fflush(nullptr);
  std::_Exit(status);
}

// Keeps the interpreter's lock, which guards the list.
void forget_ended() {
  std::erase_if(abandoned_tasks(), [](const Abandoned& each) { return each.task->has_ended(); });
}

void abandon(const std::shared_ptr<Task>& task, const nb::object& kept) {
  [[maybe_unused]] static const int registered = on_exit(leave_abandoned, nullptr);
  abandoned_tasks().push_back({task, kept});
}

}  // namespace

std::string said_when_interrupted() {
  const std::lock_guard lock(said_mutex);
  return said;
}

void run_task(std::function<void(const Watcher&)> work, nb::object kept, nb::object progress) {
  forget_ended();
  say_when_interrupted("nothing was returned, and nothing charged");
  const auto task = std::make_shared<Task>();
  task->work = std::move(work);
  // A new thread would take all cores, whatever this one was told to take.
  std::thread([task, count = threads()] {
    set_threads(count);
    task->run();
  }).detach();
  try {
    while (!task->wait(kTaskPoll)) {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress.is_none()) progress(task->step.load(), task->limit.load());
    }
  } catch (...) {  // of the signal's handler, or of the progress bar
    task->stopped = true;
    if (!task->wait(kTaskPatience)) abandon(task, kept);
    throw;
  }
  if (task->error) std::rethrow_exception(task->error);
}

void wait_for_abandoned() {
  const auto deadline = std::chrono::steady_clock::now() + kExitPatience;
  const auto tasks = abandoned_tasks();  // others may come while this one lets go of the interpreter's lock
  for (const Abandoned& each : tasks)
    while (!each.task->wait(kTaskPoll)) {
      const bool is_interrupted = PyErr_CheckSignals() != 0;
      if (is_interrupted) PyErr_Clear();
      if (is_interrupted || std::chrono::steady_clock::now() > deadline) {
        nb::set_leak_warnings(false);  // what the task reads stays on purpose, see leave_abandoned
        return;
      }
    }
  forget_ended();
}

}  // namespace tulle::python
