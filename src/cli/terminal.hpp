// What only makes sense when a person is looking: colours and a progress bar. In a pipe there is neither.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace tulle::cli {

std::string red(std::string_view text);   // on standard error
std::string bold(std::string_view text);  // on standard output

// A bar on standard error with the time left, judged from the iterations so far. Gone when it is destroyed.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int done, int total, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  bool visible_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_shown_{};
};

}  // namespace tulle::cli
