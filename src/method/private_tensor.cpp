#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <algorithm>

namespace tulle {
namespace {

SparseTensor clamped(SparseTensor observed, const Range& range) {
  for (float& value : observed.values()) value = static_cast<float>(range.clamp(value));
  return observed;
}

std::optional<Cells> public_positions(const SparseTensor& observed, Relation relation) {
  if (relation == Relation::add_remove) return std::nullopt;
  return observed.cells();
}

SparseTensor without(SparseTensor observed, std::span<const std::size_t> blanked) {
  if (blanked.empty()) return observed;
  std::vector<std::size_t> rest;
  for (std::size_t entry = 0; entry < observed.size(); ++entry)
    if (std::ranges::find(blanked, entry) == blanked.end()) rest.push_back(entry);
  return observed.select(rest);
}

}  // namespace

PrivateTensor::PrivateTensor(SparseTensor observed, const Range& range, Relation relation,
                             std::span<const std::size_t> blanked)
    : shape_(observed.shape()),
      positions_(public_positions(observed, relation)),
      observed_(without(clamped(std::move(observed), range), blanked)) {}

const Cells& PrivateTensor::positions() const {
  if (!positions_) fail("which cells were observed is private under add-remove; ask the curator");
  return *positions_;
}

}  // namespace tulle
