#include <tulle/base/printable.hpp>

#include <cstdint>
#include <optional>

namespace tulle {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

// The first character of a text; nothing if it does not begin with UTF-8 (RFC 3629, 3).
std::optional<Character> first_character(std::string_view text) {
  const auto byte = [&](std::size_t place) { return static_cast<std::uint8_t>(text[place]); };
  if (byte(0) < 0x80) return Character{byte(0), 1};
  const std::size_t bytes = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < bytes) return std::nullopt;
  char32_t code = byte(0) & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const char32_t least = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return std::nullopt;
  return Character{code, bytes};
}

bool is_between(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

// Control characters; soft hyphens, marks and joiners without width, overrides of direction, line separators,
// invisible operators, variation selectors and tags.
bool is_hidden(char32_t code) {
  return code < 0x20 || is_between(code, 0x7f, 0x9f) || code == 0xad || code == 0x61c ||
         is_between(code, 0x200b, 0x200f) || is_between(code, 0x2028, 0x202e) ||
         is_between(code, 0x2060, 0x206f) || is_between(code, 0xfe00, 0xfe0f) || code == 0xfeff ||
         is_between(code, 0xfff0, 0xffff) || is_between(code, 0xe0000, 0xe0fff);
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string shown;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most) return shown + "...";
    const std::optional<Character> next = first_character(text);
    const std::size_t bytes = next ? next->bytes : 1;
    if (next && !is_hidden(next->code))
      shown += text.substr(0, bytes);
    else
      shown += '?';
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace tulle
