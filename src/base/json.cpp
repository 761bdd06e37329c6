#include <tulle/base/json.hpp>
#include <tulle/base/utf8.hpp>

#include <cmath>

TULLE_JSON_FUNCTIONS()

namespace tulle {
namespace {

Json with_utf8(const Json& json) {
  if (json.is_string()) return in_utf8(json.get<std::string>());
  if (!json.is_structured()) return json;
  Json converted = json.is_array() ? Json::array() : Json::object();
  for (const auto& [key, value] : json.items())
    if (json.is_array())
      converted.push_back(with_utf8(value));
    else
      converted[in_utf8(key)] = with_utf8(value);
  return converted;
}

}  // namespace

Json parse_json(std::string_view text) {
  return Json::parse(text);
}

Json try_parse_json(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

std::string json_text(const Json& json, int indent) {
  try {
    return json.dump(indent);
  } catch (const Json::type_error&) {  // a string that is not UTF-8
    return with_utf8(json).dump(indent);
  }
}

Json finite_or_null(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

}  // namespace tulle
