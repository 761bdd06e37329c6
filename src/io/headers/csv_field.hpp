// Fields of lines of CSV, for writers.
#pragma once

#include <string>
#include <string_view>

namespace tulle {

// Appends the field as it must be written: in quotes where it needs them.
void append_field(std::string& line, std::string_view field, char separator);

}  // namespace tulle
