#include "observations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/group_entries.hpp>
#include <tulle/tensor/tubal/spectrum.hpp>

#include <algorithm>
#include <compare>
#include <limits>

namespace tulle {

Observations::Observations(const SparseTensor& tensor, std::span<const double> weights) {
  const Shape& shape = tensor.shape();
  const std::size_t block_size = Spectrum::kTubesPerBlock * shape.stride(1);
  const std::size_t blocks = (shape.cells() + block_size - 1) / block_size;
  if (block_size > std::numeric_limits<std::uint32_t>::max())
    fail("tubes of {} values are too long to complete; a {} tensor has them", shape.stride(1), shape.text());

  std::vector<std::size_t> cells(tensor.size());  // place in C order
#pragma omp parallel for schedule(static)
  for (std::size_t entry = 0; entry < tensor.size(); ++entry) {
    const auto cell = tensor.cells().cell(entry);
    cells[entry] = shape.offset(std::span(cell).first(shape.order()));
  }

  // One pass distributes the entries over their blocks, so that only short runs remain to be sorted.
  struct Entry {
    std::uint32_t place;
    float value, weight;
    auto operator<=>(const Entry&) const =
        default;  // by value too, so that the order of the list makes no difference
  };
  std::vector<Entry> entries(cells.size());
  starts_ = group_entries(
      cells.size(), blocks, [&](std::size_t entry) { return cells[entry] / block_size; },
      [&](std::size_t entry, std::size_t place) {
        entries[place] = {static_cast<std::uint32_t>(cells[entry] % block_size), tensor.values()[entry],
                          weights.empty() ? 1.0F : static_cast<float>(weights[entry])};
      });
#pragma omp parallel for schedule(static)
  for (std::size_t block = 0; block < blocks; ++block)
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(starts_[block]),
              entries.begin() + static_cast<std::ptrdiff_t>(starts_[block + 1]));

  places_.reserve(cells.size());
  values_.reserve(cells.size());
  if (!weights.empty()) weights_.reserve(cells.size());
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t from = starts_[block];
    const std::size_t end = starts_[block + 1];
    starts_[block] = places_.size();
    while (from < end) {
      std::size_t to = from;
      double sum = 0, counts = 0;
      for (; to < end && entries[to].place == entries[from].place; ++to)
        sum += entries[to].value, counts += entries[to].weight;
      places_.push_back(entries[from].place);
      const auto times = static_cast<double>(to - from);
      values_.push_back(static_cast<float>(sum / times));
      if (!weights.empty()) weights_.push_back(static_cast<float>(counts / times));
      from = to;
    }
  }
  starts_[blocks] = places_.size();
}

}  // namespace tulle
