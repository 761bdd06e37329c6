// Text of unknown encoding: it is read as UTF-8 or, if it is not valid UTF-8, as Latin-1, where each byte is
// a character.
#pragma once

#include <string>
#include <string_view>

namespace tulle {

bool is_utf8(std::string_view text);

std::string latin1_to_utf8(std::string_view bytes);  // as UTF-8; different bytes are different texts

// Returns UTF-8 unchanged and reads everything else as Latin-1. If several texts must stay different, apply
// `latin1_to_utf8` to all of them or to none.
std::string in_utf8(std::string text);

}  // namespace tulle
