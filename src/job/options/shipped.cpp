#include <tulle/base/error.hpp>
#include <tulle/job/options/shipped.hpp>

#include <dlfcn.h>
#include <link.h>

namespace tulle {

namespace fs = std::filesystem;

namespace {

// The program, shared library or Python extension that this code is a part of.
fs::path own_file() {
  Dl_info own;
  void* object = nullptr;
  const auto code = reinterpret_cast<const void*>(&shipped_folders);
  if (dladdr1(code, &own, &object, RTLD_DL_LINKMAP) == 0) return "/proc/self/exe";
  const char* const library = static_cast<const link_map*>(object)->l_name;
  return *library ? library : "/proc/self/exe";
}

}  // namespace

std::vector<fs::path> shipped_folders(const std::string& name) {
  const fs::path here = fs::canonical(own_file()).parent_path();
  return {here / "share" / name,              // in the Python package
          here / "../share/tulle" / name,     // bin/tulle, lib/libtulle.so
          here / "../../share/tulle" / name,  // lib/x86_64-linux-gnu/libtulle.so
          here / "../../" / name,
          here / "../../../../" / name};  // build/release/{tulle,python/tulle/_core.so}
}

std::string vocabulary_file(const std::string& name) {
  if (name != "english") return name;
  for (const fs::path& folder : shipped_folders("vocabularies"))
    if (fs::exists(folder / "english.txt")) return fs::canonical(folder / "english.txt").string();
  fail("@vocabulary english: the list is not where the command was installed; give a file instead");
}

}  // namespace tulle
