// The number of threads that the kernels use. Results do not depend on it: work is cut into pieces by the
// data, never by the number of threads, and partial sums are added in the order of the pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace tulle {

void set_threads(int count);  // at least 1
int threads();

// While it lives, and if wanted, one thread does all the work, BLAS and LAPACK included: for work too small
// to share, and for library calls that would sum in an order that depends on the number of threads.
class OneThread {
 public:
  explicit OneThread(bool wanted = true) : before_(threads()) {
    if (wanted) set_threads(1);
  }
  ~OneThread() { set_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

// Runs task(i) for i in 0 .. count - 1: independent work, each on one thread from start to end. Kernels
// called by a task do not share their work, so there is one wait at the end instead of one per kernel. If
// tasks throw, the exception of the first of them is rethrown after all have ended.
void run_side_by_side(std::size_t count, const std::function<void(std::size_t)>& task);

// The same for tasks with these numbers of operations, if each is too small to be shared among threads and
// all together are not (kWorthWaiting). Otherwise the tasks run one after the other, and their kernels may
// use all threads.
void run_small_side_by_side(std::span<const double> operations, const std::function<void(std::size_t)>& task);
bool worth_side_by_side(std::span<const double> operations);

}  // namespace tulle
