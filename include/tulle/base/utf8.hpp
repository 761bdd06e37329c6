// Text whose encoding nobody states: UTF-8, or else Latin-1, in which each byte is a character.
#pragma once

#include <string>
#include <string_view>

namespace tulle {

bool is_utf8(std::string_view text);

std::string latin1_to_utf8(std::string_view bytes);  // as UTF-8; different bytes are different texts

// UTF-8 as it is, and everything else as Latin-1. Where several texts must stay different, `latin1_to_utf8`
// is for all of them or for none.
std::string in_utf8(std::string text);

}  // namespace tulle
