#include "binary/modes_json.hpp"

#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>
#include <unordered_set>

namespace tulle {
namespace {

constexpr const char* kLatin1 = "latin-1";

// JSON is UTF-8; labels may have any bytes. A mode whose labels are not UTF-8 is written as Latin-1, which
// maps each of the 256 bytes to a character, and marked as such, so nothing is lost.
std::string from_latin1(const std::string& name, const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    if (code < 0x80) {
      bytes += text[i];
    } else if (code <= 0xc3 &&
               i + 1 < text.size()) {  // the text is valid UTF-8, so a continuation byte follows
      bytes += static_cast<char>(code << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
    } else {
      fail("{}: a label has a character that {} lacks; write it again", name, kLatin1);
    }
  }
  return bytes;
}

// A flag of a mode; false if it is not stated.
bool flag_of(const std::string& name, const Json& json, const char* key) {
  const auto value = json.find(key);
  if (value == json.end()) return false;
  if (!value->is_boolean()) fail("{}: '{}' of a mode is neither true nor false; write it again", name, key);
  return value->get<bool>();
}

}  // namespace

Json modes_to_json(const std::vector<Mode>& modes) {
  Json result = Json::array();
  for (const Mode& mode : modes) {
    const Mode text = in_utf8(mode);
    Json json = {{"name", text.name}};
    if (text != mode) json["encoding"] = kLatin1;
    if (mode.any) json["any"] = true;
    if (mode.numbered) json["numbered"] = true;
    if (!mode.labels.empty()) json["labels"] = text.labels;
    result.push_back(std::move(json));
  }
  return result;
}

Mode mode_from_json(const std::string& name, const Json& json) {
  if (!json.is_object()) fail("{}: a mode is no JSON object; write it again", name);
  Mode mode{text_of(name, json, "name"), {}};
  const auto labels = json.find("labels");
  if (labels != json.end()) {
    if (!labels->is_array())
      fail("{}: the labels of mode '{}' are no JSON array; write it again", name, shortened(mode.name));
    mode.labels.reserve(labels->size());
    for (const Json& label : *labels) {
      if (!label.is_string())
        fail("{}: a label of mode '{}' is no text; write it again", name, shortened(mode.name));
      mode.labels.push_back(label.get_ref<const std::string&>());
    }
  }
  mode.any = flag_of(name, json, "any");
  mode.numbered = flag_of(name, json, "numbered");
  const auto encoding = json.find("encoding");
  if (encoding == json.end()) return mode;
  if (*encoding != kLatin1) fail("{}: a mode has an unknown encoding; read it with a newer version", name);
  mode.name = from_latin1(name, mode.name);
  for (std::string& label : mode.labels) label = from_latin1(name, label);
  return mode;
}

std::vector<Mode> modes_from_json(const std::string& name, const Json& json, const Shape& shape) {
  const auto list = json.find("modes");
  if (list == json.end() || !list->is_array()) fail("{}: has no list of modes; write it again", name);
  std::vector<Mode> modes;
  for (const Json& mode : *list) modes.push_back(mode_from_json(name, mode));
  check_modes(name, modes, shape);
  return modes;
}

void check_modes(const std::string& name, const std::vector<Mode>& modes, const Shape& shape) {
  if (static_cast<int>(modes.size()) != shape.order())
    fail("{}: names {} modes of a {} tensor; write it again", name, modes.size(), shape.text());
  for (int mode = 0; mode < shape.order(); ++mode) {
    const auto& labels = modes[mode].labels;
    if (modes[mode].any && (shape[mode] != 1 || !labels.empty()))
      fail("{}: mode '{}' has one row for any position, but {} positions; write it again", name,
           shortened(modes[mode].name), shape[mode]);
    if (labels.empty()) continue;
    if (labels.size() > shape[mode])
      fail("{}: mode '{}' has {} labels for {} positions; write it again", name, modes[mode].name,
           labels.size(), shape[mode]);
    std::unordered_set<std::string_view> seen;
    for (const std::string& label : labels)
      if (!seen.insert(label).second)
        fail("{}: mode '{}' has the label '{}' twice; write it again", name, shortened(modes[mode].name),
             shortened(label));
  }
}

Json parse_member(const std::string& name, const std::string& text, std::span<const std::string_view> formats,
                  int known_version) {
  Json json = try_parse_json(text);
  if (json.is_discarded() || !json.is_object()) fail("{}: is no JSON object; write the file again", name);
  if (const std::string stated = text_of(name, json, "format");
      std::ranges::find(formats, stated) == formats.end())
    fail("{}: the file is a {}, not a {}", name, shortened(stated), formats.front());
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer())
    fail("{}: states no format version; write it again", name);
  if (*version < known_version)
    fail(
        "{}: is of an earlier version of tulle (format version {}, this program reads {}); fit the data "
        "again",
        name, shortened(json_text(*version)), known_version);
  if (*version != known_version)
    fail("{}: has format version {}, this program reads {}; update it", name, shortened(json_text(*version)),
         known_version);
  return json;
}

std::string text_of(const std::string& name, const Json& json, const char* key) {
  const auto value = json.find(key);
  if (value == json.end() || !value->is_string()) fail("{}: has no text '{}'; write it again", name, key);
  return value->get<std::string>();
}

}  // namespace tulle
