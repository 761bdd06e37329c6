#include <tulle/privacy/curator.hpp>

auto noise() {
  return tulle::AdditiveNoise::laplace(1.0, 0.5, 1);  // error: no suitable conversion, or: could not convert
}
