#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tulle::cli {
namespace {

constexpr int kBarWidth = 24;
constexpr std::string_view kClearLine = "\r\x1b[K";

// NO_COLOR is the convention by which people ask for none.
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

Progress::Progress(std::string label) : label_(std::move(label)), visible_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "{}", kClearLine);
}

void Progress::show(int done, int total, std::string_view note) {
  const auto now = Clock::now();
  if (!visible_ || now - last_shown_ < std::chrono::milliseconds(50)) return;
  last_shown_ = now;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double left = done > 0 ? elapsed / done * (total - done) : 0;
  const int filled = total > 0 ? kBarWidth * done / total : 0;
  fmt::print(stderr, "{}{} [{:#<{}}{:.<{}}] {}/{} {} at most {:.0f} s left", kClearLine, label_, "", filled,
             "", kBarWidth - filled, done, total, note, left);
  std::fflush(stderr);
}

}  // namespace tulle::cli
