#include "process.hpp"

#include <tulle/base/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>

extern char** environ;

namespace tulle {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};

  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

// Whether data or the end of a pipe arrive before the deadline.
bool readable(std::span<pollfd> ends, const Deadline& until) {
  constexpr std::chrono::milliseconds kLongest = std::chrono::minutes(1);
  for (;;) {
    const auto left =
        until ? std::chrono::ceil<std::chrono::milliseconds>(*until - std::chrono::steady_clock::now())
              : kLongest;
    if (left.count() <= 0) return false;
    const int ready = poll(ends.data(), ends.size(), static_cast<int>(std::min(left, kLongest).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) fail("cannot wait for a program: {}", std::strerror(errno));
  }
}

// Reads a child's two pipes until both are closed; kills the child at the deadline.
void read_all(const std::array<int, 2>& descriptors, pid_t child, const Deadline& until,
              const std::array<std::string*, 2>& texts) {
  std::array<pollfd, 2> open = {pollfd{descriptors[0], POLLIN, 0}, pollfd{descriptors[1], POLLIN, 0}};
  char buffer[4096];
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (!readable(open, until)) {
      kill(child, SIGKILL);
      return;
    }
    for (std::size_t end = 0; end < open.size(); ++end) {
      if (open[end].fd < 0 || open[end].revents == 0) continue;
      const ssize_t got = read(open[end].fd, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got > 0)
        texts[end]->append(buffer, static_cast<std::size_t>(got));
      else
        open[end].fd = -1;  // poll() skips it
    }
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

  Pipe output, errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  output.close_end(1);
  errors.close_end(1);
  if (error != 0) fail("{} cannot be started: {}", program, std::strerror(error));
  ProcessResult result;
  read_all({output.ends[0], errors.ends[0]}, child, until, {&result.output, &result.errors});
  result.status = wait_for(child);
  return result;
}

}  // namespace tulle
