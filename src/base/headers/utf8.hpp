// Text of unknown encoding: UTF-8, or else Latin-1, in which each byte is a character.
#pragma once

#include <string>
#include <string_view>

namespace tulle {

bool is_utf8(std::string_view text);

std::string latin1_to_utf8(std::string_view bytes);  // as UTF-8; different bytes are different texts

// UTF-8 unchanged, and everything else read as Latin-1. If several texts must stay different, apply
// `latin1_to_utf8` to all of them or to none.
std::string in_utf8(std::string text);

}  // namespace tulle
