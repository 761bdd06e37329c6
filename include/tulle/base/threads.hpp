// How many threads the kernels use. Results do not depend on it: work is cut into pieces by the data, never
// by the number of threads, and partial sums are added up in the order of the pieces.
#pragma once

namespace tulle {

void set_threads(int count);  // at least 1
int threads();

// While it lives, and if wanted, one thread does it all, BLAS and LAPACK included: for work too small to
// share, and for library calls that would add up in an order that depends on the number of threads.
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

}  // namespace tulle
