// Makes text from another party safe for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tulle {

// The text with a question mark for every byte that is not UTF-8, every control character (terminals' escape
// sequences begin with one) and every character that changes the direction or the layout of what follows; at
// most `most` characters, then "...".
std::string printable(std::string_view text, std::size_t most = 500);

}  // namespace tulle
