// What only makes sense when a person is looking: colours and progress. In a pipe there is neither.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tulle::cli {

inline constexpr std::string_view kClearLine = "\r\x1b[K";

std::string red(std::string_view text);   // on standard error
std::string bold(std::string_view text);  // on standard output

// One line on standard error, for people; it takes the place of a progress line.
void say(std::string_view text);

// A line on standard error: what is being done and for how long, from the second second on; where the work
// reports its steps, a bar with the time left, judged from the steps so far. Gone when it is destroyed.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int done, int total, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;

  void tick();  // work that reports nothing is shown too
  void paint() const;

  std::string label_;
  bool visible_;
  Clock::time_point started_ = Clock::now();
  std::string bar_;
  Clock::time_point last_shown_{};
  bool ended_ = false;
  mutable std::mutex mutex_;
  std::condition_variable end_;
  std::thread ticker_;  // of a visible one
};

}  // namespace tulle::cli
