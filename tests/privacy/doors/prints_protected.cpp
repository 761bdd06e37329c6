#include <tulle/privacy/curator.hpp>

#include <iostream>

void leak(const tulle::Protected<double>& data) {
  std::cout << data;  // error: use of deleted function
}
