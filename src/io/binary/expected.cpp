#include "binary/expected.hpp"

#include "text/assemble.hpp"
#include "text/labels.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

namespace tulle {
namespace {

// One mode of the data, matched to the known mode.
struct Move {
  Mode mode;
  std::uint64_t size = 0;
  std::vector<Index> places;  // the new place of each position; empty: all stay
};

Move by_labels(const std::string& name, const Mode& data, std::uint64_t size, const Mode& known, bool grow) {
  Labels labels(known.labels);
  Move move;
  for (const std::string& label : data.labels) {
    const std::size_t place = grow ? labels.find_or_add(label) : labels.find(label);
    if (place == Labels::kNone)
      fail(
          "{}: '{}' is not among the known labels of {}{}; remove its cells[, or predict new positions with "
          "@new FILE @new-mode MODE]",
          name, shortened(label), shortened(known.name), suggestion(label, known.labels));
    move.places.push_back(static_cast<Index>(place));
  }
  if (size > data.labels.size())
    fail("{}: mode '{}' has {} labels for {} positions; write it again", name, shortened(data.name),
         data.labels.size(), size);
  move.mode = {known.name, labels.strings()};
  move.size = labels.size();
  return move;
}

Move move_of(const std::string& name, const Mode& data, std::uint64_t size, const Mode& known, bool grow) {
  if (known.any) return {{known.name, data.labels, true}, size, {}};
  if (!data.labels.empty() && !known.labels.empty()) return by_labels(name, data, size, known, grow);
  if (!known.labels.empty() && size > known.labels.size() && !grow)
    fail("{}: mode '{}' has {} positions, but {} are known; remove the others, or let new ones be added",
         name, shortened(known.name), size, known.labels.size());
  return {known, std::max<std::uint64_t>(size, known.labels.size()), {}};
}

bool stays(const Move& move) {
  for (std::size_t position = 0; position < move.places.size(); ++position)
    if (move.places[position] != position) return false;
  return true;
}

SparseTensor moved(const SparseTensor& tensor, const Shape& shape, const std::vector<Move>& moves) {
  std::vector<std::vector<Index>> columns;
  for (int mode = 0; mode < tensor.order(); ++mode) {
    const auto column = tensor.column(mode);
    columns.emplace_back(column.begin(), column.end());
    if (moves[mode].places.empty()) continue;
    for (Index& position : columns.back()) position = moves[mode].places[position];
  }
  return {
      Cells(shape, std::move(columns)), {tensor.values().begin(), tensor.values().end()}, tensor.unlisted()};
}

Dataset at_known(const std::string& name, Dataset data, const ReadOptions& options) {
  const Shape old_shape = data.shape();
  if (static_cast<int>(options.known.size()) != old_shape.order())
    fail("{}: is {}, but {} modes are known; give data of the same modes", name, old_shape.text(),
         options.known.size());
  std::vector<Move> moves;
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < old_shape.order(); ++mode) {
    moves.push_back(move_of(name, data.modes[mode], old_shape[mode], options.known[mode], options.grow));
    sizes.push_back(moves.back().size);
    data.modes[mode] = moves.back().mode;
  }
  const Shape shape(sizes);
  if (shape == old_shape && std::all_of(moves.begin(), moves.end(), stays)) return data;
  data.tensor = std::holds_alternative<SparseTensor>(data.tensor)
                    ? moved(std::get<SparseTensor>(data.tensor), shape, moves)
                    : moved(observed(data), shape, moves);
  return data;
}

Dataset in_shape(const std::string& name, Dataset data, const Shape& shape) {
  if (data.shape() == shape) return data;
  auto* sparse = std::get_if<SparseTensor>(&data.tensor);
  if (sparse == nullptr || sparse->order() != shape.order())
    fail("{}: is {}, not {}; give the shape that it has", name, data.shape().text(), shape.text());
  try {
    const auto values = std::as_const(*sparse).values();
    data.tensor =
        SparseTensor(sparse->cells().within(shape), {values.begin(), values.end()}, sparse->unlisted());
  } catch (const Error& error) {
    fail("{}: {}", name, text_of(error));
  }
  return data;
}

}  // namespace

Dataset as_expected(const std::string& name, Dataset data, const ReadOptions& options) {
  if (!options.known.empty()) data = at_known(name, std::move(data), options);
  if (options.shape) {
    const Shape shape = shape_for(options, data.shape());
    data = in_shape(name, std::move(data), shape);
  }
  return data;
}

}  // namespace tulle
