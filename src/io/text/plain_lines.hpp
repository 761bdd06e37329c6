// A fast parser for lines as most programs write them: "12 7 3 -0.25".
#pragma once

#include "text/entries.hpp"

namespace tulle {

// Parses lines of one position per mode and a value into the block, from `at` to the first line that is
// unusual in any way or invalid; `at` moves there. Returns the number of lines. The result is exactly that of
// the careful parser of a listing; kMapBytes must be readable after `end`.
std::size_t parse_plain_lines(const char*& at, const char* end, EntryBlock& block);

}  // namespace tulle
