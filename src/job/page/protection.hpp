// The parts of a page that state a guarantee: whom it protects, and what an attacker can still learn.
#pragma once

#include <tulle/report/page.hpp>

#include <nlohmann/json.hpp>

namespace tulle {

// `guarantee` is in the format of privacy/guarantee.hpp; not null.
bool is_proven(const nlohmann::ordered_json& guarantee);
void add_summary(Page& page, const nlohmann::ordered_json& guarantee);
void add_protection(Page& page, const nlohmann::ordered_json& guarantee);
void add_learned(Page& page, const nlohmann::ordered_json& guarantee);  // for a proven one
void add_releases(Page& page, const nlohmann::ordered_json& guarantee);

}  // namespace tulle
