// Runs a completion, of one table or of the relations of a private study, and prints its results.
#pragma once

#include <tulle/job/completion/request.hpp>

namespace tulle::cli {

// `verbose`: print a line for every iteration.
void run_completion(const CompletionOptions& asked, bool json, bool verbose);

}  // namespace tulle::cli
