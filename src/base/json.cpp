#include <tulle/base/json.hpp>

#include <cmath>

namespace tulle {

Json parse_json(std::string_view text) {
  return Json::parse(text);
}

Json try_parse_json(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent);
}

Json finite_or_null(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

}  // namespace tulle
