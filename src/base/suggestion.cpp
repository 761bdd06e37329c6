#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tulle {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other; `limit` + 1
// if there are more than `limit`.
std::size_t typing_errors(std::string_view one, std::string_view other, std::size_t limit) {
  if (one.size() > other.size() + limit || other.size() > one.size() + limit) return limit + 1;
  std::vector<std::size_t> before(other.size() + 1), last(other.size() + 1), row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] != other[j - 1])});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    if (std::ranges::min(row) > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return last.back();
}

std::string only_beginning_with(std::string_view word, std::span<const std::string> names) {
  std::string found;
  for (const std::string& name : names) {
    if (!name.starts_with(word)) continue;
    if (!found.empty()) return "";
    found = name;
  }
  return found;
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
  if (word.size() < 3) return "";
  const std::string* nearest = nullptr;
  std::size_t least = word.size() / 3 + 1;
  for (const std::string& name : names)
    if (const std::size_t errors = typing_errors(word, name, least - 1); errors < least) {
      least = errors;
      nearest = &name;
    }
  return nearest ? *nearest : only_beginning_with(word, names);
}

std::string suggestion(std::string_view word, std::span<const std::string> names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

void fail_unknown(std::string_view what, std::string_view word, std::span<const std::string> names) {
  fail_usage("there is no {} '{}'{}; there is: {}", what, word, suggestion(word, names),
             fmt::join(names, ", "));
}

}  // namespace tulle
