// What the caller expects of the data: a shape, and modes that are known already.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/dataset.hpp>

#include <string>

namespace tulle {

// Brings the data to the known modes: where both have labels, positions move to those of the same labels;
// without labels a position stays what it is. A dense tensor that has to move becomes a sparse one that lists
// all its cells. `name` is the file, for messages.
Dataset as_expected(const std::string& name, Dataset data, const ReadOptions& options);

}  // namespace tulle
