// Descriptions of models, for `tulle info` and for models loaded in Python.
#pragma once

#include <tulle/base/json.hpp>
#include <tulle/io/saved_model.hpp>

#include <span>
#include <vector>

namespace tulle {

Json describe_modes(const std::vector<Mode>& modes, std::span<const Index> sizes);

Json describe(const ModelFile& file);
Json describe(const CoupledFile& file);
Json describe(const NetworkFile& file);
Json describe(const SavedModel& model);

}  // namespace tulle
