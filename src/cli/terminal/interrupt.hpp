// Ctrl-C, and being asked to end: the command says what was charged, leaves no temporary file, and ends.
#pragma once

#include <string>

namespace tulle::cli {

// From then on a thread of its own waits for the signals. To be called once, before any other thread starts:
// threads inherit that they do not take them.
void watch_interrupts();

// What the message of an interruption says further: that nothing was written, before anything was said.
void say_when_interrupted(std::string what);
std::string said_when_interrupted();

}  // namespace tulle::cli
