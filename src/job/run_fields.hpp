// The last fields of every report of a run.
#pragma once

#include <tulle/job/owner_fields.hpp>
#include <tulle/method/method.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tulle {

void add_run_fields(nlohmann::ordered_json& report, OwnerFields& owner, double seconds, std::uint64_t seed,
                    const std::vector<std::string>& remarks, const Method& method,
                    const Guarantee& guarantee);

}  // namespace tulle
