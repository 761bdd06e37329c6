// Output for people at a terminal: colours and progress. In a pipe there is neither.
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

// Text of data, such as a label, for standard output: as it is in a file, without control characters on a
// terminal.
std::string legible(const std::string& text);

// Prints one line on standard error, for people; it replaces a progress line.
void say(std::string_view text);

// A line on standard error with the present work and its duration, after the first second; if the work
// reports its steps, with a bar and the time left, estimated from the steps so far. The destructor removes
// the line.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int done, int total, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;

  void tick();  // updates the line, also for work that reports no steps
  void paint() const;

  std::string label_;
  bool visible_;
  Clock::time_point started_ = Clock::now();
  std::string bar_;
  Clock::time_point last_shown_{};
  bool ended_ = false;
  mutable std::mutex mutex_;
  std::condition_variable end_;
  std::thread ticker_;  // runs only if the line is visible
};

}  // namespace tulle::cli
