#include <tulle/privacy/curator.hpp>

double leak(const tulle::Protected<double>& data) {
  return data;  // error: cannot convert
}
