#include <tulle/base/json.hpp>

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

}  // namespace tulle
