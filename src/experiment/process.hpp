// Another program, run to its end.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct ProcessResult {
  int status = 0;              // of exit; negative: the signal that ended it
  std::string output, errors;  // what it wrote to standard output, and to standard error
};

// `until`: when it is ended, if it has not ended by itself.
ProcessResult run_process(const std::string& program, const std::vector<std::string>& arguments,
                          std::optional<std::chrono::steady_clock::time_point> until = {});

}  // namespace tulle
