// Functions that the writers of text formats share.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <array>
#include <charconv>
#include <string>

namespace tulle {

// The shortest text that reads back as the same number of its type.
template <class T>
void append_number(std::string& text, T number) {
  std::array<char, 32> digits;
  const auto outcome = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), outcome.ptr);
}

// Calls visit(cell, value) for every listed cell in order, or for all cells of a dense tensor.
template <class Visit>
void for_each_listed(const Dataset& data, Visit&& visit) {
  const int order = data.shape().order();
  std::array<Index, kMaxOrder> cell{};
  const std::span<const Index> shown(cell.data(), static_cast<std::size_t>(order));
  if (const auto* sparse = std::get_if<SparseTensor>(&data.tensor)) {
    for (std::size_t entry = 0; entry < sparse->size(); ++entry) {
      cell = sparse->cells().cell(entry);
      visit(shown, sparse->values()[entry]);
    }
    return;
  }
  const auto& dense = std::get<DenseTensor>(data.tensor);
  for (double value : dense.values()) {
    visit(shown, value);
    for (int mode = order - 1; mode >= 0 && ++cell[mode] == dense.shape()[mode]; --mode) cell[mode] = 0;
  }
}

}  // namespace tulle
