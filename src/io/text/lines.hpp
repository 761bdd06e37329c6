// Reads a text file line by line.
#pragma once

#include "source.hpp"
#include "text/chunks.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace tulle {

// Calls take(line) for every line, without its end.
template <class Take>
void for_each_line(const std::string& path, Take&& take,
                   Source::Gzipped gzipped = Source::Gzipped::by_content) {
  Source source(path, gzipped);
  LineChunks chunks(source);
  for (TextBlock block; chunks.next(block);)
    for (std::string_view text = block.text(); !text.empty();) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      take(line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace tulle
