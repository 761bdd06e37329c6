// Groups entries, each group in the order of the list: a stable counting sort.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace tulle {

// Calls place(entry, where) once for every entry in 0 .. entries-1, `where` being its place among all entries
// ordered by group_of(entry). Returns the starts: group g takes places starts[g] .. starts[g + 1].
template <class GroupOf, class Place>
std::vector<std::size_t> group_entries(std::size_t entries, std::size_t groups, const GroupOf& group_of,
                                       const Place& place) {
  std::vector<std::size_t> starts(groups + 1);
  for (std::size_t entry = 0; entry < entries; ++entry) ++starts[group_of(entry) + std::size_t{1}];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t entry = 0; entry < entries; ++entry) place(entry, next[group_of(entry)]++);
  return starts;
}

}  // namespace tulle
