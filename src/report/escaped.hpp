// Text as XML and HTML take it.
#pragma once

#include <string>
#include <string_view>

namespace tulle {

inline std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

}  // namespace tulle
