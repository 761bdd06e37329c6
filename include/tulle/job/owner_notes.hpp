// What the owner should know of the data of a run. It is private: covered by no guarantee.
#pragma once

#include <tulle/job/completion_data.hpp>
#include <tulle/job/jobs.hpp>

#include <string>
#include <vector>

namespace tulle {

std::vector<std::string> owner_notes(const CompletionJob& job, const CompletionData& data);

}  // namespace tulle
