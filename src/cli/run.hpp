// The command `tulle`. Returns 0 for success, 1 for bad input or a failure, 2 for wrong use and 3 for a
// violation found by an audit.
#pragma once

#include <string>
#include <vector>

namespace tulle::cli {

int run(int argc, const char* const* argv);

// The words that start the command again, as `reproduce` does; empty: its own file. Python hosts it
// otherwise.
std::vector<std::string>& own_command();

}  // namespace tulle::cli
