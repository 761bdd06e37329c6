// Options of a job as keyword arguments: what there is, and values from Python objects.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/job/options/option_table.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>

namespace tulle::python {

// How Python writes options: user_mode for user-mode.
std::string keyword_of(std::string_view option);

// The number of threads is that of the caller's thread: what a job is asked to take is for this job alone.
struct ThreadsRestored {
  int before = threads();
  ~ThreadsRestored() { set_threads(before); }
};

// Gives a table the values of a dictionary by the ids of options.
void take_values(OptionTable& table, const nanobind::dict& values);

// A dictionary for each option.
nanobind::list described(OptionTable& table);

// Options of a job, filled, and what is done with them. Messages name keywords.
template <class Options, class Do>
auto with_options(const nanobind::dict& values, const Do& act) {
  const ThreadsRestored restored;
  Options options;
  OptionTable table;
  options.declare(table);
  const Spelling spelling{.write = keyword_of,
                          .has = [&](std::string_view id) { return table.find(id) != nullptr; }};
  try {
    take_values(table, values);
    return act(options);
  } catch (const UsageError& error) {
    throw UsageError(spelled(error.text(), spelling));
  } catch (const Error& error) {
    throw Error(spelled(error.text(), spelling));
  }
}

template <class Options>
nanobind::list described_options() {
  Options options;
  OptionTable table;
  options.declare(table);
  return described(table);
}

}  // namespace tulle::python
