// Mode names and labels as JSON, in the "tulle.json" member of the archives that Tulle writes.
#pragma once

#include <tulle/base/json.hpp>
#include <tulle/tensor/dataset.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

inline constexpr const char* kJsonMember = "tulle.json";
inline constexpr int kJsonVersion = 1;
inline constexpr std::uint64_t kMaxJson = std::uint64_t{1} << 31;

Json modes_to_json(const std::vector<Mode>& modes);
Mode mode_from_json(const std::string& name, const Json& json);  // `name` is the file, for messages

// `name` is the file, for messages. Throws an Error unless there are as many modes as the shape has, each
// with distinct labels, no more than its positions.
std::vector<Mode> modes_from_json(const std::string& name, const Json& json, const Shape& shape);
void check_modes(const std::string& name, const std::vector<Mode>& modes, const Shape& shape);

// The object in the member; throws an Error unless it states one of the formats and a known version.
Json parse_member(const std::string& name, const std::string& text, std::span<const std::string_view> formats,
                  int known_version = kJsonVersion);

// A text in the object; throws an Error if the value is anything else.
std::string text_of(const std::string& name, const Json& json, const char* key);

}  // namespace tulle
