#include "binary/promise.hpp"

#include <tulle/base/error.hpp>

#include <unistd.h>

namespace tulle {

void check_memory(const std::string& name, std::uint64_t count, std::size_t bytes) {
  const double needed = static_cast<double>(count) * static_cast<double>(bytes);
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > present)
    fail("{}: needs {:.3g} GiB of memory, but this machine has {:.3g}; read a part of it, or a sparse form",
         name, needed / 0x1p30, present / 0x1p30);
}

}  // namespace tulle
