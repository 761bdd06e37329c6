#include "find_experiments.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/job/options/shipped.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstdlib>

namespace tulle::cli {

namespace {

namespace fs = std::filesystem;

// The folder "experiments" here comes before those that are installed with the command.
std::vector<fs::path> experiment_folders() {
  std::vector<fs::path> folders = shipped_folders("experiments");
  folders.insert(folders.begin(), "experiments");
  return folders;
}

std::vector<fs::path> experiments_in(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml" && entry.is_regular_file()) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

// The experiments of all folders; if several have the same name, the first one is used.
std::vector<fs::path> all_experiments() {
  std::vector<fs::path> found;
  for (const fs::path& folder : experiment_folders())
    for (fs::path& path : experiments_in(folder))
      if (std::ranges::find(found, path.stem(), &fs::path::stem) == found.end())
        found.push_back(std::move(path));
  return found;
}

[[noreturn]] void fail_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& path : all_experiments()) names.push_back(path.stem());
  fail_usage("there is no experiment '{}'{}; give a .toml file, or one of: {}", name, suggestion(name, names),
             fmt::join(names, ", "));
}

}  // namespace

std::vector<fs::path> known_experiments() {
  for (const fs::path& folder : experiment_folders())
    if (std::vector<fs::path> found = experiments_in(folder); !found.empty()) return found;
  fail("there are no experiments here, and none where the command was installed; give a .toml file");
}

fs::path find_experiment(const std::string& name) {
  if (fs::path(name).extension() == ".toml") {
    if (!fs::exists(name)) fail("{}: No such file or directory", name);
    return name;
  }
  for (const fs::path& path : all_experiments())
    if (path.stem() == name) return path;
  fail_unknown(name);
}

bool names_several(const std::string& name) {
  return name == "all" || name.find_first_of("*?") != std::string::npos;
}

std::vector<fs::path> find_experiments(const std::string& name) {
  if (name == "all") return known_experiments();
  std::vector<fs::path> found = all_experiments();
  std::erase_if(found,
                [&](const fs::path& path) { return fnmatch(name.c_str(), path.stem().c_str(), 0) != 0; });
  if (found.empty()) fail_unknown(name);
  return found;
}

std::string data_folder(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const char* from_environment = std::getenv("TULLE_DATA");
  return from_environment ? from_environment : "";
}

std::string missing_data(const Experiment& experiment, const std::string& folder) {
  const ExperimentData& data = experiment.data;
  const std::string file = data_file(experiment, experiment.values.front());
  if (data.generated() || (!folder.empty() && fs::exists(fs::path(folder) / file))) return "";
  return message("there is no {}{}; name the folder of the data by @data or TULLE_DATA{}", file,
                 folder.empty() ? "" : " in " + folder,
                 data.obtain.empty() ? "" : " (get it from " + data.obtain + ")");
}

}  // namespace tulle::cli
