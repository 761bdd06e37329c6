// Where experiments and their data are.
#pragma once

#include <tulle/experiment/experiment.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::cli {

// Below the current folder, or where the command was installed.
std::vector<std::filesystem::path> known_experiments();
// By its name, or a file. A UsageError that lists the names when there is none.
std::filesystem::path find_experiment(const std::string& name);

// Whether a name stands for several: all, or a pattern with * or ?.
bool names_several(const std::string& name);
// Those it stands for. A UsageError as above when there are none.
std::vector<std::filesystem::path> find_experiments(const std::string& name);

// The folder of the data sets: the chosen one, else $TULLE_DATA; "": none.
std::string data_folder(const std::string& chosen);
// Why the data cannot be had there; empty: they are there.
std::string missing_data(const Experiment& experiment, const std::string& folder);

}  // namespace tulle::cli
