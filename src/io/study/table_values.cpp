#include "table_values.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr Names<Transform, 3> kTransforms = {
    {{Transform::none, "as-is"}, {Transform::binary, "binary"}, {Transform::log, "log"}}};
constexpr Index kDropped = std::numeric_limits<Index>::max();

}  // namespace

std::string_view name(Transform transform) {
  return name_in(kTransforms, transform);
}

Transform transform_of(std::string_view name) {
  return find_named(kTransforms, name, "kind of values");
}

void transform_values(std::span<float> values, Transform transform) {
  if (transform == Transform::binary)
    for (float& value : values) value = value > 0 ? 1.0f : 0.0f;
  if (transform == Transform::log)
    for (float& value : values) value = std::log1p(value);
}

SparseTensor without_positions(const SparseTensor& data, const std::vector<int>& dropped,
                               const std::string& where) {
  const int last = data.order() - 1;
  std::vector<Index> new_position(data.shape()[last], 0);
  for (int position : dropped) {
    if (position < 1 || static_cast<std::uint64_t>(position) > new_position.size())
      fail("{}: drop names position {}, which is outside 1..{}", where, position, new_position.size());
    new_position[static_cast<std::size_t>(position) - 1] = kDropped;
  }
  Index kept = 0;
  for (Index& position : new_position)
    if (position != kDropped) position = kept++;
  if (kept == 0) fail("{}: drop names all positions of the last entity; leave some", where);
  std::vector<std::uint64_t> shape;
  for (Index size : data.shape().dimensions()) shape.push_back(size);
  shape.back() = kept;
  SparseTensor result(Shape(shape), data.unlisted());
  for (std::size_t entry = 0; entry < data.size(); ++entry) {
    auto cell = data.cells().cell(entry);
    cell[static_cast<std::size_t>(last)] = new_position[cell[static_cast<std::size_t>(last)]];
    if (cell[static_cast<std::size_t>(last)] != kDropped)
      result.append(std::span(cell).first(static_cast<std::size_t>(data.order())), data.values()[entry]);
  }
  return result;
}

}  // namespace tulle
