// Which method a job comes to run, where its own method picks one.
#pragma once

#include <tulle/job/jobs.hpp>

#include <string>

namespace tulle {

// The name of the method that the job's own one picks for these cells: from public facts, as run() will. ""
// where it picks none.
std::string picked_method(const CompletionJob& job, SparseTensor observed);

}  // namespace tulle
