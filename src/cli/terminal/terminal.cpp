#include "terminal/terminal.hpp"

#include <tulle/base/printable.hpp>
#include <tulle/base/utf8.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tulle::cli {
namespace {

constexpr int kBarWidth = 24;
constexpr auto kTick = std::chrono::milliseconds(500);
constexpr auto kPatience = std::chrono::seconds(1);  // shorter work without steps shows nothing

// NO_COLOR is the conventional variable for disabling colours.
bool coloured(int descriptor) {
  return isatty(descriptor) != 0 && std::getenv("NO_COLOR") == nullptr;
}

std::string styled(std::string_view text, std::string_view code, int descriptor) {
  return coloured(descriptor) ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace

std::string red(std::string_view text) {
  return styled(text, "31", STDERR_FILENO);
}

std::string bold(std::string_view text) {
  return styled(text, "1", STDOUT_FILENO);
}

std::string legible(const std::string& text) {
  return isatty(STDOUT_FILENO) != 0 ? printable(in_utf8(text), std::string::npos) : text;
}

void say(std::string_view text) {
  fmt::print(stderr, "{}{} {}\n", isatty(STDERR_FILENO) != 0 ? kClearLine : "", red("tulle:"),
             printable(text, std::string_view::npos));
}

Progress::Progress(std::string label) : label_(std::move(label)), visible_(isatty(STDERR_FILENO) != 0) {
  if (visible_) ticker_ = std::thread([this] { tick(); });
}

Progress::~Progress() {
  if (!visible_) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  ticker_.join();
  fmt::print(stderr, "{}", kClearLine);
}

void Progress::tick() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, kTick, [this] { return ended_; }))
    if (Clock::now() - started_ >= kPatience) paint();
}

void Progress::paint() const {
  fmt::print(stderr, "{}{}{} {:.0f} s", kClearLine, label_, bar_,
             std::chrono::duration<double>(Clock::now() - started_).count());
  std::fflush(stderr);
}

void Progress::show(int done, int total, std::string_view note) {
  if (!visible_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (now - last_shown_ < std::chrono::milliseconds(50)) return;
  last_shown_ = now;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double left = done > 0 ? elapsed / done * (total - done) : 0;
  const int filled = total > 0 ? kBarWidth * done / total : 0;
  bar_ = fmt::format(" [{:#<{}}{:.<{}}] {}/{} {} at most {:.0f} s left,", "", filled, "", kBarWidth - filled,
                     done, total, note, left);
  paint();
}

}  // namespace tulle::cli
