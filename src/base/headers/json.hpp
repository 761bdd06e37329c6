// JSON as text. The parser and the writer are instantiated in json.cpp alone: any other source that used them
// would take seconds longer to compile.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace tulle {

using Json = nlohmann::ordered_json;  // keys stay in the order they were written

}  // namespace tulle

// Compiled once, in json.cpp.
#define TULLE_JSON_FUNCTIONS(EXTERN)                                                     \
  EXTERN template nlohmann::ordered_json::basic_json(initializer_list_t, bool, value_t); \
  EXTERN template nlohmann::ordered_json::basic_json(const nlohmann::ordered_json&);     \
  EXTERN template nlohmann::ordered_json::json_value::json_value(const array_t&);        \
  EXTERN template nlohmann::ordered_json::json_value::json_value(const object_t&);       \
  EXTERN template void nlohmann::ordered_json::json_value::destroy(value_t);
TULLE_JSON_FUNCTIONS(extern)

namespace tulle {

Json parse_json(std::string_view text);      // throws Json::exception
Json try_parse_json(std::string_view text);  // a value that is_discarded() if the text is not JSON

// In one line, or with one field per line and `indent` spaces per level. Always valid JSON: a text that is
// not UTF-8, such as a label of a file, is written as if it were Latin-1 (`in_utf8`).
std::string json_text(const Json& json, int indent = -1);

// A number, or null if it is NaN or infinite.
Json finite_or_null(double number);

}  // namespace tulle
