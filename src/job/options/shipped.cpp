#include <tulle/base/error.hpp>
#include <tulle/job/options/shipped.hpp>

namespace tulle {

namespace fs = std::filesystem;

std::vector<fs::path> shipped_folders(const std::string& name) {
  // Beside the command, in its sources, or beside a Python package: programs of a repaired wheel are in
  // lib/python3.x/site-packages/tulle.scripts.
  const fs::path program = fs::canonical("/proc/self/exe").parent_path();
  return {program / "../share/tulle" / name, program / "../../" / name,
          program / "../../../../share/tulle" / name};
}

std::string vocabulary_file(const std::string& name) {
  if (name != "english") return name;
  for (const fs::path& folder : shipped_folders("vocabularies"))
    if (fs::exists(folder / "english.txt")) return fs::canonical(folder / "english.txt").string();
  fail("@vocabulary english: the list is not where the command was installed; give a file instead");
}

}  // namespace tulle
