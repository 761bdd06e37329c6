// The command `tulle`. Returns 0 for success, 1 for bad input or a failure, 2 for wrong use and 3 for a
// violation found by an audit.
#pragma once

namespace tulle::cli {

int run(int argc, const char* const* argv);

}  // namespace tulle::cli
