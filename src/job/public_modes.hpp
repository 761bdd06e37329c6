// What the owner states about the modes under add-remove, where nothing may be inferred from the data.
#pragma once

#include <tulle/job/completion_data.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

// A UsageError where a line that may be private decided whether there is a header.
void check_header(const Dataset& data);

// How to read a file of which any line may be private. A UsageError where whether the first line of a CSV
// file is a header is not stated.
ReadOptions reading_of_private_lines(const DataOptions& options, const DataPrivacy& privacy,
                                     const std::string& path);

// Whether a mode of the training data has labels. That a CSV file without entries has none does not mean that
// its positions are numbers.
bool has_labels(const DataOptions& options, const Dataset& data, int mode);

// How the guarantee says that the positions of a mode are stated by a list; size_fact() by how many there
// are.
std::string listed_fact(const std::string& mode);

// What is public of every mode; nothing of the users' mode. `facts` is how the guarantee says it.
using Positions = std::vector<std::optional<PublicPositions>>;
Positions public_positions(const DataOptions& options, const Dataset& data, std::optional<int> users,
                           std::vector<std::string>& facts);

}  // namespace tulle
