// A model on disk, of whichever kind: what complete and topics, couple, and classify write.
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
bool is_saved_model(const std::string& path);  // whether load() would find a model there, valid or not

// An Error that says what the file holds, unless one of these verbs of the command makes such models:
// complete, topics, couple, classify.
void check_made_by(const std::string& path, const SavedModel& model,
                   const std::vector<std::string_view>& verbs);
// Of a completed tensor; an Error for any other.
ModelFile load_completed(const std::string& path);

}  // namespace tulle

#pragma GCC visibility pop
