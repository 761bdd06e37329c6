// The file of a study, or its text in memory.
#pragma once

#include "../memory.hpp"

#include <tulle/base/spelling.hpp>
#include <tulle/base/toml.hpp>

#include <filesystem>
#include <string>

namespace tulle {

inline TomlSection open_study(const std::string& path) {
  return is_in_memory(path) ? TomlSection::parse(text_in_memory(path), path) : TomlSection::load(path);
}

// The title of a study that states none.
inline std::string title_of(const std::string& path) {
  return std::filesystem::path(spelled(path, cpp_spelling())).stem().string();
}

}  // namespace tulle
