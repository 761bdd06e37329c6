#include <tulle/privacy/curator.hpp>

void draw(const tulle::AdditiveNoise& noise, std::vector<double>& values, tulle::RandomBits& bits) {
  noise.add_to(values, bits);  // error: is private within this context
}
