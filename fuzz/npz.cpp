#include "members.hpp"
#include "memory_file.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read.hpp>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const MemoryFile file(archive_of(input));
  tulle::ReadOptions options;
  options.format = tulle::Format::npz;
  for (const bool nan_is_missing : {false, true}) {
    options.nan_is_missing = nan_is_missing;
    try {
      tulle::read(file.path(), options);
    } catch (const tulle::Error&) {
    }
  }
  return 0;
}
