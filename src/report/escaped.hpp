// Text escaped for XML and HTML, in UTF-8: labels of files may be in Latin-1.
#pragma once

#include <tulle/base/utf8.hpp>

#include <string>
#include <string_view>

namespace tulle {

inline std::string escaped(std::string_view text) {
  std::string result;
  for (char c : in_utf8(std::string(text))) {
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
