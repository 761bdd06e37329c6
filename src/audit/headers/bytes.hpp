// The byte audit. Everything that a command publishes is a function of public facts and of its releases. So
// the command runs on one data set, then on a neighbouring one with every release answered as before: all
// published bytes must be equal, whatever the data, and the exact answers of each release must differ by at
// most its sensitivity. Output marked for the owner is excluded.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tulle {

// The output of a run.
struct CommandOutput {
  int status = 0;
  std::string output, errors;                // standard output and standard error
  std::map<std::string, std::string> files;  // by name
};

// The output that anybody may see: without the lines of text, the fields of a JSON report ("owner_only") and
// the sections of a page that are marked as the owner's.
CommandOutput without_owner_parts(CommandOutput published);

// Runs on the first (0) or the second (1) of two neighbouring data sets.
using RunOnSide = std::function<CommandOutput(int side)>;

// One line for each difference; empty if the two runs cannot be told apart. `releases`: number replayed.
struct ByteAudit {
  std::vector<std::string> differences;
  std::size_t releases = 0;
};
ByteAudit audit_bytes(const RunOnSide& run);

}  // namespace tulle
