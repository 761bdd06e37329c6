#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <omp.h>

namespace tulle {

void set_threads(int count) {
  if (count < 1) fail_usage("threads: {} is not a number of threads; give 1 or more", count);
  omp_set_num_threads(count);
}

int threads() {
  return omp_get_max_threads();
}

}  // namespace tulle
