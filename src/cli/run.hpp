// The command `tulle`: 0 when all went well, 1 for bad input or a failure, 2 for wrong use.
#pragma once

namespace tulle::cli {

int run(int argc, const char* const* argv);

}  // namespace tulle::cli
