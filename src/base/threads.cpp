#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

namespace tulle {

void set_threads(int count) {
  if (count < 1) fail_usage("threads: {} is not a number of threads; give 1 or more", count);
  omp_set_num_threads(count);
}

int threads() {
  return omp_get_max_threads();
}

void run_side_by_side(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::vector<std::exception_ptr> thrown(count);
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (std::size_t i = 0; i < count; ++i) {
    try {
      task(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  }
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

bool worth_side_by_side(std::span<const double> operations) {
  double all = 0, most = 0;
  for (double each : operations) all += each, most = std::max(most, each);
  return most <= kWorthWaiting && all > kWorthWaiting;
}

void run_small_side_by_side(std::span<const double> operations,
                            const std::function<void(std::size_t)>& task) {
  if (worth_side_by_side(operations)) return run_side_by_side(operations.size(), task);
  for (std::size_t i = 0; i < operations.size(); ++i) task(i);
}

}  // namespace tulle
