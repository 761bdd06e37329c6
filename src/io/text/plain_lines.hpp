// The fast way through lines as most programs write them: "12 7 3 -0.25".
#pragma once

#include "text/entries.hpp"

namespace tulle {

// Parses lines of one position a mode and a value into the block, from `at` to the first line that is odd in
// any way or wrong; `at` moves there. Returns the number of lines. What is taken is exactly what the careful
// parser of a listing would take; kMapBytes must be readable behind `end`.
std::size_t parse_plain_lines(const char*& at, const char* end, EntryBlock& block);

}  // namespace tulle
