// Any bytes as a .csv file: an Error or a tensor, never anything else.
#include "text/formats.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tulle::set_threads(1);
  tulle::ReadOptions plain, binned, known;
  plain.nan_is_missing = size % 2 == 1;
  binned.columns = {"1", "2/10", "3"};
  known.known = {{"a", {"x", "y"}}, {"b/2", {"0", "1"}}, {"c", {}}};
  known.grow = size % 2 == 1;
  for (const auto& options : {plain, binned, known})
    for (const bool cells_only : {false, true}) {
      tulle::Source source = tulle::Source::memory("input", bytes);
      try {
        if (cells_only)
          tulle::read_csv_cells(source, ',', options, 256);
        else
          tulle::read_csv(source, ',', options, 256);
      } catch (const tulle::Error&) {
      }
    }
  return 0;
}
