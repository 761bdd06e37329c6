// The one function by which the extension would need the C++ library of GCC 12, whose version of it differs
// in a promise (noexcept) alone. Linked in its place (python/CMakeLists.txt), a wheel runs on systems of GCC
// 11 too, such as those with C library 2.34.
#include <pthread.h>

#include <condition_variable>
#include <mutex>

extern "C" void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    std::condition_variable* condition, std::unique_lock<std::mutex>& lock) noexcept {
  pthread_cond_wait(condition->native_handle(), lock.mutex()->native_handle());
}
