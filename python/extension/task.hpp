// Work in a thread of its own, while the interpreter shows how far it is and takes Ctrl-C. Whatever uses
// OpenMP runs so: a process that forks cannot use it in a thread that has used it before (libgomp waits for
// threads that the child does not have).
#pragma once

#include <tulle/job/charging.hpp>

#include <nanobind/nanobind.h>

#include <functional>
#include <string>

namespace tulle::python {

// Returns when the work is done, or throws what it throws. Without the interpreter's lock; now and then, with
// it, calls `progress(step, limit)`, unless it is None. On Ctrl-C the work is told to stop, by the observer's
// answer and by an Error instead of a charge, and is left alone when it does not within a quarter of a
// second: then `kept`, what it reads, stays until it has ended. `work` holds no Python objects.
void run_task(std::function<void(const Watcher&)> work, nanobind::object kept, nanobind::object progress);

// What an interruption leaves behind, of the work that was begun last.
std::string said_when_interrupted();

// For the end of the program: until all work that was left alone has ended. What does not end within seconds,
// or when interrupted again, is ended with the program, after its files are closed and with its status, but
// before anything is torn down under it.
void wait_for_abandoned();

}  // namespace tulle::python
