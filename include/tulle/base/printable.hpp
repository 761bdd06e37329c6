// Text of another party, made safe for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tulle {

// The text with a question mark for every byte that is not of UTF-8, every control character (the escape
// sequences of terminals begin with one) and every character that changes the direction or the layout of what
// follows; at most so many characters, "..." in place of the rest.
std::string printable(std::string_view text, std::size_t most = 500);

}  // namespace tulle
