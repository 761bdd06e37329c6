// The positions of a mode, as a public fact. Under add-remove it is private which of them the data use, so
// the owner lists them and the data are mapped to the list: entries elsewhere do not count.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The positions of one mode: labels, or 1-based numbers up to `size`.
struct PublicPositions {
  std::vector<std::string> labels;  // none: numbers
  std::uint64_t size = 0;           // labels.size() if there are labels
  std::vector<Index> numbers = {};  // if not empty, the numbers up to `size`, from 0, that count
};

// Positions that the owner lists. An Error, which begins with `where`, for a label that is listed twice.
PublicPositions listed_positions(std::vector<std::string> labels, const std::string& where);

// The same for a mode whose positions the data name by number, from 1. They keep their numbers, so the size
// of the mode is the largest one. An Error for a line that is not a number.
PublicPositions listed_numbers(const std::vector<std::string>& lines, const std::string& where);

// The positions found in the data, if the owner states that they are public, in an order that reveals nothing
// else about the data: by number if all labels are whole numbers, else by their bytes.
PublicPositions found_positions(const Dataset& data, int mode);

// How entries at positions that are not public are handled.
enum class OutsidePositions { drop, refuse };

// A position that is not public; private.
struct UnknownPosition {
  int mode = 0;
  std::string name;
  std::size_t line = 0;  // of the file, which first has it; 0: not known

  bool operator==(const UnknownPosition& other) const = default;
};

struct PlacedData {
  Dataset data;                                // sparse, in the shape of the public positions
  std::size_t dropped = 0;                     // entries at positions that are not public; private
  std::vector<UnknownPosition> examples = {};  // the first two of these positions
};

// One element per mode; empty: the mode is unchanged. If entries are refused, the Error names the position of
// the first one.
PlacedData at_public_positions(const Dataset& data,
                               const std::vector<std::optional<PublicPositions>>& positions,
                               OutsidePositions unlisted);

// Removes the gaps between the positions of a mode that have entries, and makes their names labels: first
// those in `known`, then the others in their order. Numbers of users may have large gaps, and memory should
// grow only with the number of users.
void number_by_name(Dataset& data, int mode, std::vector<std::string> known = {});

}  // namespace tulle

#pragma GCC visibility pop
