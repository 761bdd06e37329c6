// Events as JSON text, for records that outlive the process. Reading runs the same checks as construction.
#pragma once

#include <tulle/privacy/account/event.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

std::string to_json(std::span<const Event> events);
std::string release_to_json(const Event& event);             // without its count: equal for equal releases
std::vector<Event> events_from_json(std::string_view text);  // an Error when it is not what to_json writes

}  // namespace tulle
