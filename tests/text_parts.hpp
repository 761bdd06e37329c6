// What a text holds.
#pragma once

#include <string>

namespace tulle {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// How often.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace tulle
