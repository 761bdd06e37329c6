// A model on disk of any kind: the output of complete and topics, couple, or classify.
#pragma once

#include <tulle/io/coupled_file.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/io/network_file.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

using SavedModel = std::variant<ModelFile, CoupledFile, NetworkFile>;

SavedModel load(const std::string& path);
bool is_saved_model(const std::string& path);  // true if load() would find a model, valid or not

// Throws an Error that says what the file holds, unless one of these verbs (complete, topics, count,
// couple, classify) makes such models.
void check_made_by(const std::string& path, const SavedModel& model,
                   const std::vector<std::string_view>& verbs);
// Loads the model of a completed tensor; throws an Error for any other.
ModelFile load_completed(const std::string& path);

}  // namespace tulle

#pragma GCC visibility pop
