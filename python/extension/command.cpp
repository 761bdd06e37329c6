// The command in a process of Python: a wheel has the library once.
#include "verbs.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <run.hpp>
#include <terminal/interrupt.hpp>

#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace tulle::python {
namespace {

// `starts`: the words that start this command again. Its thread waits for signals that all others block, so
// nothing that has threads of its own may be loaded before: python/tulle/_command.py.
int run_command(std::vector<std::string> starts, const std::vector<std::string>& arguments) {
  const nb::gil_scoped_release others_run;
  cli::watch_interrupts();
  cli::own_command() = std::move(starts);
  std::vector<const char*> words = {"tulle"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  return cli::run(static_cast<int>(words.size()) - 1, words.data());
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("run_command", run_command, nb::arg("starts"), nb::arg("arguments"));
}

}  // namespace tulle::python
