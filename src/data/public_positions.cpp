#include <tulle/base/error.hpp>
#include <tulle/data/public_positions.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <unordered_map>

namespace tulle {
namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

void sort_labels(std::vector<std::string>& labels) {
  std::ranges::sort(labels);
  if (!std::ranges::all_of(labels, [](const std::string& label) { return whole_number(label).has_value(); }))
    return;
  std::ranges::stable_sort(labels, {}, [](const std::string& label) { return *whole_number(label); });
}

// Where each position of a mode goes.
std::vector<std::uint64_t> places_of(const Mode& mode, std::uint64_t size, const PublicPositions& wanted) {
  std::vector<std::uint64_t> places(size, kNowhere);
  // Labels are numbered in the order of their appearance, which is no public order.
  if (!mode.labels.empty() && wanted.labels.empty())
    fail("mode {} has labels; list the public ones, a number of positions does not say which they are",
         mode.name);
  if (mode.labels.empty()) {
    std::iota(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(std::min(size, wanted.size)),
              std::uint64_t{0});
    return places;
  }
  std::unordered_map<std::string_view, std::uint64_t> numbers;
  for (std::size_t i = 0; i < wanted.labels.size(); ++i) numbers.emplace(wanted.labels[i], i);
  for (std::size_t i = 0; i < mode.labels.size(); ++i)
    if (const auto found = numbers.find(mode.labels[i]); found != numbers.end()) places[i] = found->second;
  return places;
}

}  // namespace

PublicPositions listed_positions(std::vector<std::string> labels, const std::string& where) {
  if (labels.empty()) fail("{}: lists no position; give one label per line", where);
  std::vector<std::string_view> sorted(labels.begin(), labels.end());
  std::ranges::sort(sorted);
  if (const auto twin = std::ranges::adjacent_find(sorted); twin != sorted.end())
    fail("{}: '{}' is listed twice; keep one of the two", where, *twin);
  const std::uint64_t size = labels.size();
  return {std::move(labels), size};
}

PublicPositions found_positions(const Dataset& data, int mode) {
  std::vector<std::string> labels = data.modes[static_cast<std::size_t>(mode)].labels;
  if (labels.empty()) return {{}, data.shape()[mode]};
  sort_labels(labels);
  const std::uint64_t size = labels.size();
  return {std::move(labels), size};
}

PlacedData at_public_positions(const Dataset& data,
                               const std::vector<std::optional<PublicPositions>>& positions,
                               OutsidePositions outside) {
  const SparseTensor listed = observed(data);
  PlacedData placed{{data.modes, SparseTensor(data.shape(), Unlisted::missing)}};
  std::vector<std::vector<std::uint64_t>> places(positions.size());
  std::vector<std::uint64_t> sizes(data.shape().dimensions().begin(), data.shape().dimensions().end());
  for (std::size_t mode = 0; mode < positions.size(); ++mode) {
    if (!positions[mode]) continue;
    Mode& named = placed.data.modes[mode];
    places[mode] = places_of(named, sizes[mode], *positions[mode]);
    sizes[mode] = positions[mode]->size;
    named.labels = positions[mode]->labels;
  }
  SparseTensor tensor(Shape(sizes), Unlisted::missing);
  tensor.reserve(listed.size());
  for (std::size_t entry = 0; entry < listed.size(); ++entry) {
    auto cell = listed.cells().cell(entry);
    bool inside = true;
    for (std::size_t mode = 0; mode < positions.size() && inside; ++mode) {
      if (!positions[mode]) continue;
      const std::uint64_t place = places[mode][cell[mode]];
      inside = place != kNowhere;
      if (inside) {
        cell[mode] = static_cast<Index>(place);
      } else if (outside == OutsidePositions::refuse) {
        fail("'{}' is not among the public positions of mode {}; list it, or let such entries be dropped",
             position_name(data.modes[mode], cell[mode]), data.modes[mode].name);
      }
    }
    if (inside)
      tensor.append(std::span(cell).first(positions.size()), listed.values()[entry]);
    else
      ++placed.dropped;
  }
  placed.data.tensor = std::move(tensor);
  return placed;
}

}  // namespace tulle
