#include <tulle/privacy/curator.hpp>

#include <fmt/format.h>

std::string leak(const tulle::Protected<double>& data) {
  return fmt::format("{}", data);  // error: Cannot format an argument
}
