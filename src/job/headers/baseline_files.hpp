// Baselines of a model file: it has no training data, so these are read again.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/job/baselines.hpp>

#include <optional>
#include <string>

namespace tulle {

// Of the cells of `test`, for the owner of both files; `reading` knows the modes of the model.
std::optional<Baselines> baselines_of_files(const std::string& train, const std::string& test,
                                            ReadOptions reading, const std::optional<Range>& range);

}  // namespace tulle
