#include "process.hpp"

#include <tulle/base/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace tulle {
namespace {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

// Whether there is something to read, or the end, before the deadline.
bool readable(int descriptor, const Deadline& until) {
  if (!until) return true;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wanted{descriptor, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true;  // read() says what is wrong
  }
}

std::string read_all(int descriptor, pid_t child, const Deadline& until) {
  std::string text;
  char buffer[4096];
  for (;;) {
    if (!readable(descriptor, until)) {
      kill(child, SIGKILL);
      return text;
    }
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

ProcessResult run_process(const std::string& program, const std::vector<std::string>& arguments,
                          std::optional<std::chrono::steady_clock::time_point> until) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  ProcessResult result;
  if (error == 0) {
    result.output = read_all(ends[0], child, until);
    result.status = wait_for(child);
  }
  close(ends[0]);
  if (error != 0) fail("{} cannot be started: {}", program, std::strerror(error));
  return result;
}

}  // namespace tulle
