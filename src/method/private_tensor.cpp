#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

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

}  // namespace

PrivateTensor::PrivateTensor(SparseTensor observed, const Range& range, Relation relation)
    : shape_(observed.shape()),
      positions_(public_positions(observed, relation)),
      observed_(clamped(std::move(observed), range)) {}

const Cells& PrivateTensor::positions() const {
  if (!positions_) fail("which cells were observed is private under add-remove; ask the curator");
  return *positions_;
}

}  // namespace tulle
