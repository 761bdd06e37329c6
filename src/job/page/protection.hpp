// The parts of a page that state a guarantee: whom it protects, and what an attacker can learn all the same.
#pragma once

#include <tulle/report/page.hpp>

#include <nlohmann/json.hpp>

namespace tulle {

// `guarantee` as privacy/guarantee.hpp writes it; not null.
bool is_proven(const nlohmann::ordered_json& guarantee);
void add_summary(Page& page, const nlohmann::ordered_json& guarantee);
void add_protection(Page& page, const nlohmann::ordered_json& guarantee);
void add_learned(Page& page, const nlohmann::ordered_json& guarantee);  // of a proven one
void add_releases(Page& page, const nlohmann::ordered_json& guarantee);

}  // namespace tulle
