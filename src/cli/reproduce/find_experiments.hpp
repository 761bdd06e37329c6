// Finds experiments and their data.
#pragma once

#include <tulle/experiment/experiment.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::cli {

// The experiments below the current folder or, if it has none, those installed with the command.
std::vector<std::filesystem::path> known_experiments();
// Finds an experiment by its name or file. Throws a UsageError that lists the names if the name is unknown.
std::filesystem::path find_experiment(const std::string& name);

// True if a name denotes several experiments: "all", or a pattern with * or ?.
bool names_several(const std::string& name);
// The experiments that a name denotes. Throws the same UsageError if there are none.
std::vector<std::filesystem::path> find_experiments(const std::string& name);

// The folder of the data sets: the chosen one, else $TULLE_DATA; "": none.
std::string data_folder(const std::string& chosen);
// The reason why the data are not available in the folder; empty: they are.
std::string missing_data(const Experiment& experiment, const std::string& folder);

}  // namespace tulle::cli
