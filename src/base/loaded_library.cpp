#include <tulle/base/error.hpp>
#include <tulle/base/loaded_library.hpp>

#include <dlfcn.h>

#include <sstream>
#include <string>

namespace tulle {

// Two threads may both load it, which gives both the same handle.
void* LoadedLibrary::handle() const {
  void* found = handle_.load(std::memory_order_acquire);
  std::istringstream files(files_);
  for (std::string file; !found && files >> file;)
    found = dlopen(file.c_str(), RTLD_NOW | (symbols_ == Symbols::shared ? RTLD_GLOBAL : RTLD_LOCAL));
  handle_.store(found, std::memory_order_release);
  return found;
}

void* LoadedLibrary::symbol(const char* name) const {
  void* const library = handle();
  void* const found = library ? dlsym(library, name) : nullptr;
  if (!found) fail("{} of {}: is not installed", name, files_);
  return found;
}

}  // namespace tulle
