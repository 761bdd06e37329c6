#include <tulle/privacy/curator.hpp>

double leak(const tulle::Protected<double>& data) {
  return data.value_;  // error: is private within this context
}
