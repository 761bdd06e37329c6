// Another program, run to its end.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct ProcessResult {
  int status = 0;              // of exit; negative: the signal that killed it
  std::string output, errors;  // its standard output, and its standard error
};

// `until`: when it is killed if it is still running.
ProcessResult run_process(const std::string& program, const std::vector<std::string>& arguments,
                          std::optional<std::chrono::steady_clock::time_point> until = {});

}  // namespace tulle
