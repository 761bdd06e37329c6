// Runs a completion, of one table or of the relations of a private study, and prints its results.
#pragma once

#include <tulle/job/completion/request.hpp>

namespace tulle::cli {

struct Shown {
  bool json = false;
  bool verbose = false;  // a line for every iteration
  bool plan = false;     // instead of a run
};
void run_completion(const CompletionOptions& asked, const Shown& shown);

}  // namespace tulle::cli
