#include "run.hpp"
#include "terminal/interrupt.hpp"

int main(int argc, char** argv) {
  tulle::cli::watch_interrupts();
  return tulle::cli::run(argc, argv);
}
