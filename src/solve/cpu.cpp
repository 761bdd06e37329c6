#include "cpu.hpp"

namespace tulle {

const Device& cpu() {
  static const Cpu kCpu;
  return kCpu;
}

}  // namespace tulle
