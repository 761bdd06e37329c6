// Handles Ctrl-C and termination signals: the command prints what was charged, removes temporary files, and
// exits.
#pragma once

#include <string>

namespace tulle::cli {

// Starts a thread that waits for the signals. To be called once, before any other thread starts, since
// threads inherit that signals are blocked.
void watch_interrupts();

// Sets the second part of the message of an interruption, which is at first that nothing was written.
void say_when_interrupted(std::string what);
std::string said_when_interrupted();

}  // namespace tulle::cli
