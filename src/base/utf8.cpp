#include <tulle/base/utf8.hpp>

#include <cstddef>
#include <utility>

namespace tulle {
namespace {

// Contents of a first byte: the number of bytes that follow it, its bits of the character, and the smallest
// character that needs this length.
struct FirstByte {
  std::size_t following;
  unsigned bits, smallest;
};

FirstByte read_first(unsigned char byte) {
  if (byte < 0x80) return {0, byte, 0};
  if (byte >= 0xc0 && byte < 0xe0) return {1, byte & 0x1fu, 0x80};
  if (byte >= 0xe0 && byte < 0xf0) return {2, byte & 0x0fu, 0x800};
  if (byte >= 0xf0 && byte < 0xf8) return {3, byte & 0x07u, 0x10000};
  return {0, 0, 1};  // no character begins with it: below the smallest
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    auto [following, character, smallest] = read_first(static_cast<unsigned char>(text[at++]));
    for (; following > 0; --following, ++at) {
      const unsigned byte = at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
      if (byte >> 6 != 2) return false;
      character = character << 6 | (byte & 0x3f);
    }
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    if (character < smallest || character > 0x10ffff || surrogate) return false;
  }
  return true;
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | code >> 6);
      text += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
  return text;
}

std::string in_utf8(std::string text) {
  return is_utf8(text) ? std::move(text) : latin1_to_utf8(text);
}

}  // namespace tulle
