#include "terminal/interrupt.hpp"

#include "terminal/terminal.hpp"

#include <tulle/io/outputs.hpp>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <mutex>
#include <thread>

namespace tulle::cli {
namespace {

constexpr int kSignalled = 128;  // the exit status is this plus the signal's number, as in shells

std::mutex mutex;

// Never destroyed, since a signal may arrive while the process exits.
std::string& left_behind() {
  static auto& text = *new std::string("nothing was written");
  return text;
}

sigset_t watched() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

[[noreturn]] void wait_and_end() {
  const sigset_t signals = watched();
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {
  }
  remove_temporary_files();
  const std::lock_guard lock(mutex);
  say("interrupted; " + left_behind());
  _exit(kSignalled + signal);  // without destructors, since other threads are still running
}

}  // namespace

void watch_interrupts() {
  const sigset_t signals = watched();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(wait_and_end).detach();
}

void say_when_interrupted(std::string what) {
  const std::lock_guard lock(mutex);
  left_behind() = std::move(what);
}

std::string said_when_interrupted() {
  const std::lock_guard lock(mutex);
  return left_behind();
}

}  // namespace tulle::cli
