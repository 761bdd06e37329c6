#include "binary/isolated.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

namespace tulle {
namespace {

std::string all_of(ByteStream& stream) {
  std::string text(1 << 20, '\0');
  text.resize(stream.read(text));
  return text;
}

TEST(RunIsolated, HandsOverTheBytesOfAnotherProcess) {
  const pid_t here = getpid();
  const auto stream = run_isolated("x", [&](const TakeBytes& take) {
    take("one ");
    take(std::string(100'000, 'a'));
    take(getpid() == here ? "here" : "elsewhere");
  });
  EXPECT_EQ(all_of(*stream), "one " + std::string(100'000, 'a') + "elsewhere");
}

TEST(RunIsolated, AnErrorOfTheWorkIsThrownByRead) {
  const auto stream = run_isolated("x", [](const TakeBytes& take) {
    take("abc");
    fail("x: is not what it seems");
  });
  std::string first(3, '\0');
  EXPECT_EQ(stream->read(first), 3u);
  EXPECT_MESSAGE(all_of(*stream), "x: is not what it seems");
}

TEST(RunIsolated, ACrashIsAnErrorHere) {
  const auto stream = run_isolated("x.mat", [](const TakeBytes&) { raise(SIGKILL); });
  EXPECT_MESSAGE(all_of(*stream),
                 "x.mat: its library crashed on it; the file is damaged, copy or write it again");
}

}  // namespace
}  // namespace tulle
