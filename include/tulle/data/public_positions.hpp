// Which positions a mode has, as a public fact. Under add-remove it is private which of them the data use, so
// the list comes from the owner, and the data are put into it: entries elsewhere do not count.
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
  std::uint64_t size = 0;           // labels.size() where there are labels
  std::vector<Index> numbers = {};  // of those up to `size`, from 0, the ones that count; none: all
};

// Positions that the owner lists. An Error, which begins with `where`, for a label that is listed twice.
PublicPositions listed_positions(std::vector<std::string> labels, const std::string& where);

// The same for a mode whose positions the data call by number, from 1. They keep their numbers, so the mode
// reaches to the largest. An Error for what is no number.
PublicPositions listed_numbers(const std::vector<std::string>& lines, const std::string& where);

// Those found in the data, where the owner says that they are public, in an order that tells nothing else of
// the data: by number if all labels are whole numbers, else by their bytes.
PublicPositions found_positions(const Dataset& data, int mode);

// What becomes of entries at positions that are not public.
enum class OutsidePositions { drop, refuse };

struct PlacedData {
  Dataset data;             // sparse, in the shape of the public positions
  std::size_t dropped = 0;  // entries at positions that are not public; private
};

// One element per mode; empty: the mode stays as it is. An Error names the first entry's position where they
// are refused.
PlacedData at_public_positions(const Dataset& data,
                               const std::vector<std::optional<PublicPositions>>& positions,
                               OutsidePositions unlisted);

// Leaves no gaps between the positions of a mode that have entries, and makes their names labels: first those
// in `known`, then the others in their order. Numbers of users may have large gaps, and memory should grow
// with the users alone.
void number_by_name(Dataset& data, int mode, std::vector<std::string> known = {});

}  // namespace tulle

#pragma GCC visibility pop
