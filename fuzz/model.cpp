#include "members.hpp"
#include "memory_file.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/saved_model.hpp>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const MemoryFile file(archive_of({reinterpret_cast<const char*>(bytes), size}));
  try {
    tulle::load(file.path());
  } catch (const tulle::Error&) {
  }
  return 0;
}
