// The owner's statements about the modes under add-remove, where nothing may be inferred from the data.
#pragma once

#include <tulle/job/completion_data.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

// A UsageError if a line that may be private decided whether there is a header.
void check_header(const Dataset& data);

// How to read a file in which any line may be private. A UsageError for a CSV file if it is not stated
// whether its first line is a header. So many modes have `private_keys`, beside those with public positions.
ReadOptions reading_of_private_lines(const DataOptions& options, const DataPrivacy& privacy,
                                     const std::string& path, std::size_t private_keys = 0);

// Whether a mode of the training data has labels. Even if a CSV file without entries shows none, its
// positions are not numbers.
bool has_labels(const DataOptions& options, const Dataset& data, int mode);

// The words of the guarantee for positions of a mode stated by a list; size_fact(): by their number.
std::string listed_fact(const std::string& mode);

// The public positions of every mode; none for the users' mode. `facts` receives the words of the guarantee.
// Those of `chosen` modes are private and stay as they are in the data.
using Positions = std::vector<std::optional<PublicPositions>>;
Positions public_positions(const DataOptions& options, const Dataset& data, std::optional<int> users,
                           std::vector<std::string>& facts, const std::vector<int>& chosen = {});

// For the owner: the positions with where the file first has them.
std::vector<std::string> dropped_examples(const std::string& path, const PlacedData& placed);

}  // namespace tulle
