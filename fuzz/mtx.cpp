// Any bytes as a .mtx file: an Error or a tensor, never anything else.
#include "text/formats.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tulle::set_threads(1);
  for (const bool cells_only : {false, true}) {
    tulle::ReadOptions options;
    options.nan_is_missing = size % 2 == 1;
    tulle::Source source = tulle::Source::memory("input", bytes);
    try {
      if (cells_only)
        tulle::read_mtx_cells(source, options, 64);
      else
        tulle::read_mtx(source, options, 64);
    } catch (const tulle::Error&) {
    }
  }
  return 0;
}
