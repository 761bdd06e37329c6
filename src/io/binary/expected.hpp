// Matches data with the caller's expectations: a shape, and modes that are already known.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/dataset.hpp>

#include <string>

namespace tulle {

// Matches the data with the known modes: if both have labels, positions move to those with the same labels;
// otherwise they stay. A dense tensor whose positions move becomes a sparse one that lists all its cells.
// `name` is the file, for messages.
Dataset as_expected(const std::string& name, Dataset data, const ReadOptions& options);

}  // namespace tulle
