#include "text/labels.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>

#include <algorithm>
#include <numeric>
#include <span>

namespace tulle {
namespace {

struct SortKey {
  bool is_text;
  std::int64_t number;
  std::string_view label;

  auto operator<=>(const SortKey& other) const = default;
};

std::vector<SortKey> sort_keys(std::span<const std::string> labels) {
  std::vector<SortKey> keys;
  for (const std::string& label : labels) {
    const auto number = parse_number<std::int64_t>(label);
    keys.push_back({!number, number.value_or(0), label});
  }
  return keys;
}

}  // namespace

Labels::Labels(const std::vector<std::string>& labels) {
  for (const auto& label : labels) {
    const std::size_t before = size();
    if (find_or_add(label) != before) fail("label '{}' is known twice; labels of a mode are unique", label);
  }
}

std::string_view Labels::operator[](std::size_t number) const {
  const std::size_t begin = entries_[number].begin;
  const std::size_t end = number + 1 < size() ? entries_[number + 1].begin : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

std::size_t Labels::slot_of(std::string_view label, std::size_t hash) const {
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].number != kFree &&
         (slots_[slot].tag != tag_of(hash) || (*this)[slots_[slot].number] != label))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::size_t Labels::find(std::string_view label, std::size_t hash) const {
  if (slots_.empty()) return kNone;
  const Index number = slots_[slot_of(label, hash)].number;
  return number == kFree ? kNone : number;
}

std::size_t Labels::find_or_add(std::string_view label, std::size_t hash) {
  if (2 * (size() + 1) > slots_.size()) grow();
  Slot& slot = slots_[slot_of(label, hash)];
  if (slot.number == kFree) {
    if (size() == kMaxDimension)
      fail("a mode has more than {} different labels; choose another column", kMaxDimension);
    slot = {static_cast<Index>(size()), tag_of(hash)};
    entries_.push_back({hash, text_.size()});
    text_ += label;
  }
  return slot.number;
}

void Labels::grow() {
  slots_.assign(std::max<std::size_t>(16, 2 * slots_.size()), {});
  for (std::size_t number = 0; number < size(); ++number) {
    std::size_t slot = hash(number) & (slots_.size() - 1);
    while (slots_[slot].number != kFree) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {static_cast<Index>(number), tag_of(hash(number))};
  }
}

std::vector<std::string> Labels::strings() const {
  std::vector<std::string> result;
  result.reserve(size());
  for (std::size_t number = 0; number < size(); ++number) result.emplace_back((*this)[number]);
  return result;
}

std::vector<Index> sort_labels(std::vector<std::string>& labels, std::size_t known) {
  const auto keys = sort_keys(std::span(labels).subspan(known));
  std::vector<Index> order(labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(known), order.end(),
            [&](Index a, Index b) { return keys[a - known] < keys[b - known]; });
  std::vector<Index> places(order.size());
  std::vector<std::string> sorted(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    places[order[place]] = static_cast<Index>(place);
    sorted[place] = std::move(labels[order[place]]);
  }
  labels = std::move(sorted);
  return places;
}

}  // namespace tulle
