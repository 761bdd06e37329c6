// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace tulle {

struct ProcessResult {
  int status = 0;      // of exit; negative: the signal that ended it
  std::string output;  // standard output and standard error, as they came
};

ProcessResult run_process(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace tulle
