#include "binary/isolated.hpp"

#include <tulle/base/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

namespace tulle {
namespace {

constexpr int kPatienceMs = 60'000;

// The child sends frames: a kind, the length, the bytes. Without an `end` or `error` frame it did not finish.
enum class Frame : std::uint32_t { data, error, end };
struct FrameHead {
  Frame kind;
  std::uint32_t length;
};

void write_all(int descriptor, const void* bytes, std::size_t count) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // the parent no longer reads
    next += written;
    count -= static_cast<std::size_t>(written);
  }
}

void send(int descriptor, Frame kind, std::string_view bytes) {
  constexpr std::size_t kLongest = std::size_t{1} << 20;
  do {
    const std::string_view part = bytes.substr(0, kLongest);
    const FrameHead head{kind, static_cast<std::uint32_t>(part.size())};
    write_all(descriptor, &head, sizeof head);
    write_all(descriptor, part.data(), part.size());
    bytes.remove_prefix(part.size());
  } while (!bytes.empty());
}

[[noreturn]] void run_child(int descriptor, const std::function<void(const TakeBytes&)>& work) {
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP}) std::signal(signal, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    work([&](std::string_view bytes) {
      if (!bytes.empty()) send(descriptor, Frame::data, bytes);
    });
    send(descriptor, Frame::end, {});
  } catch (const std::exception& error) {
    send(descriptor, Frame::error, text_of(error));
  }
  _exit(0);
}

class Child final : public ByteStream {
 public:
  Child(const std::string& name, const std::function<void(const TakeBytes&)>& work) : ByteStream(name) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("{}: {}", name, std::strerror(errno));
    process_ = fork();
    if (process_ == 0) {
      close(ends[0]);
      run_child(ends[1], work);
    }
    close(ends[1]);
    descriptor_ = ends[0];
    if (process_ < 0) {
      close(descriptor_);
      fail("{}: cannot start a process to read it: {}", name, std::strerror(errno));
    }
  }

  ~Child() override {
    close(descriptor_);
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  std::size_t read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      if (left_in_frame_ == 0 && !next_frame()) break;
      const std::size_t count = std::min<std::size_t>(left_in_frame_, buffer.size() - filled);
      receive(buffer.data() + filled, count);
      filled += count;
      left_in_frame_ -= static_cast<std::uint32_t>(count);
    }
    return filled;
  }

 private:
  bool next_frame() {
    if (ended_) return false;
    FrameHead head;
    receive(reinterpret_cast<char*>(&head), sizeof head);
    if (head.kind == Frame::data) {
      left_in_frame_ = head.length;
      return true;
    }
    ended_ = true;
    if (head.kind == Frame::end) return false;
    std::string message(head.length, '\0');
    receive(message.data(), message.size());
    fail("{}", message);
  }

  void receive(char* bytes, std::size_t count) {
    while (count > 0) {
      pollfd waiting{descriptor_, POLLIN, 0};
      const int ready = poll(&waiting, 1, kPatienceMs);
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0)
        fail("{}: its library did not finish reading it; the file is damaged, copy or write it again",
             name());
      const ssize_t got = ::read(descriptor_, bytes, count);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0)
        fail("{}: its library crashed on it; the file is damaged, copy or write it again", name());
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
  }

  pid_t process_;
  int descriptor_;
  std::uint32_t left_in_frame_ = 0;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> run_isolated(const std::string& name,
                                         const std::function<void(const TakeBytes&)>& work) {
  return std::make_unique<Child>(name, work);
}

}  // namespace tulle
