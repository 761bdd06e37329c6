// A verb from its words: options parsed as the command parses them, errors that name them.
#pragma once

#include "parser/keywords.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

namespace tulle::python {

using Words = std::vector<std::string>;

// The number of threads is that of the caller's thread: what a verb is asked to take is for this verb alone.
struct ThreadsRestored {
  int before = threads();
  ~ThreadsRestored() { set_threads(before); }
};

// Options of a verb, and what is done with them. Messages of the library name the option that does what they
// advise.
template <class Options, class Do>
auto with_options(const std::string& verb, const Words& words, const Do& act) {
  const ThreadsRestored restored;
  Options options;
  cli::Keywords keywords(verb, [&](cli::Verb& declared) { options.declare(declared); });
  keywords.parse(words);
  try {
    return act(options);
  } catch (const UsageError& error) {
    throw UsageError(keywords.explained(error.what()));
  } catch (const Error& error) {
    throw Error(keywords.explained(error.what()));
  }
}

// What a verb takes, as the command declares it.
template <class Options>
nanobind::list described() {
  Options options;
  const cli::Keywords keywords("", [&](cli::Verb& verb) { options.declare(verb); });
  nanobind::list all;
  for (const cli::OptionDescription& each : keywords.descriptions()) {
    nanobind::dict option;
    option["name"] = each.name;
    option["meaning"] = each.meaning;
    option["default"] = each.otherwise;
    option["type"] = each.type;
    option["flag"] = each.flag;
    option["repeats"] = each.repeats;
    all.append(option);
  }
  return all;
}

}  // namespace tulle::python
