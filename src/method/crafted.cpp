#include "crafted.hpp"

#include <tulle/data/coupling.hpp>

#include <array>
#include <cmath>

namespace tulle {
namespace {

constexpr Neighbours kValuesOfUser{Unit::user, Relation::replace};
constexpr Neighbours kUser{Unit::user, Relation::add_remove};

Coupling coupling_of_two() {
  Coupling coupling{.sizes = {1, 3, 1}, .relations = {{"first", {0, 1, 2}}, {"second", {0, 1}}}};
  PublicTable features{"features", SparseTensor(Shape{3, 2}, Unlisted::missing), {1, PublicTable::kOwn}};
  for (Index item = 0; item < 3; ++item)
    for (Index feature = 0; feature < 2; ++feature)
      features.cells.append(std::array{item, feature}, static_cast<float>(item * feature));
  coupling.tables.push_back(std::move(features));
  return coupling;
}

SparseTensor in_two_relations(const SparseTensor& table) {
  SparseTensor first(table.shape(), Unlisted::missing), second(Shape{2, 3}, Unlisted::missing);
  for (std::size_t entry = 0; entry < table.size(); ++entry) {
    const auto cell = table.cells().cell(entry);
    if (cell[1] == 0)
      first.append(std::span(cell).first(3), table.values()[entry]);
    else
      second.append(std::span(cell).first(2), table.values()[entry]);
  }
  const Coupling coupling = coupling_of_two();
  SparseTensor all(coupling.shape(0, 2), Unlisted::missing);
  append_stacked(all, coupling, 0, first);
  append_stacked(all, coupling, 1, second);
  return all;
}

}  // namespace

std::function<SparseTensor(double secret)> cells_of(const Shape& shape, CellValue value) {
  return [=](double secret) {
    SparseTensor tensor(shape, Unlisted::missing);
    std::vector<Index> cell(static_cast<std::size_t>(shape.order()));
    for (std::uint64_t offset = 0; offset < shape.cells(); ++offset) {
      for (int mode = 0; mode < shape.order(); ++mode)
        cell[static_cast<std::size_t>(mode)] = static_cast<Index>(offset / shape.stride(mode) % shape[mode]);
      const double here = value(cell, secret);
      if (!std::isnan(here)) tensor.append(cell, static_cast<float>(here));
    }
    return tensor;
  };
}

// It does not see that a std::function frees what it holds.
// NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks)
CraftedTensor lone_value() {
  return {.canary = "the value of the only cell",
          .data = cells_of({1, 1, 1}, [](auto, double secret) { return secret; }),
          .graded = true,
          .watched_first = 0,
          .watched_second = 0};
}

CraftedTensor value_among_others() {
  return {.canary = "the value of a cell, alone in its slice",
          .data = cells_of({2, 2, 2},
                           [](auto cell, double secret) {
                             return cell[2] == 0 ? 0 : cell[0] + cell[1] == 2 ? secret : kNoCell;
                           }),
          .graded = true};
}

CraftedTensor value_in_full_tensor() {
  return {
      .canary = "the value of a cell of a full tensor",
      .data = cells_of(
          {2, 2, 2}, [](auto cell, double secret) { return cell[0] + cell[1] + cell[2] == 0 ? secret : 1; }),
      .graded = true};
}

CraftedTensor largest_of_slice() {
  return {.canary = "the largest value of a slice",
          .data = cells_of({3, 3, 2},
                           [](auto cell, double secret) {
                             return cell[0] + cell[1] + cell[2] == 0 ? 0.1 + 0.9 * secret : 0.1;
                           }),
          .graded = true};
}

CraftedTensor cell_or_none() {
  return {.canary = "a cell of the largest value beside one other",
          .neighbours = {Unit::entry, Relation::add_remove},
          .data = cells_of({2, 2, 2},
                           [](auto cell, double secret) {
                             const Index sum = cell[0] + cell[1] + cell[2];
                             return sum == 0 ? 0 : sum == 3 && secret >= 0.5 ? 1 : kNoCell;
                           }),
          .watched_second = 1};
}

CraftedTensor cell_or_blank() {
  CraftedTensor crafted = cell_or_none();
  crafted.canary = "a cell of the largest value, or one that contributes nothing";
  crafted.neighbours.relation = Relation::zero_out;
  crafted.blanked = {1};
  return crafted;
}

CraftedTensor values_of_user() {
  return {.canary = "all values of one user, from least to largest",
          .neighbours = kValuesOfUser,
          .data = cells_of({2, 3, 1}, [](auto cell, double secret) { return cell[0] == 0 ? 0.5 : secret; }),
          .graded = true};
}

CraftedTensor user_or_none() {
  return {.canary = "a user with extreme values, there or not",
          .neighbours = kUser,
          .data = cells_of({2, 3, 1},
                           [](auto cell, double secret) {
                             if (cell[0] == 0) return 0.0;
                             return secret < 0.5 ? kNoCell : cell[1] == 0 ? 0 : 1;
                           }),
          .watched_first = 1,
          .watched_second = 1};
}

CraftedTensor user_or_blank() {
  CraftedTensor crafted = user_or_none();
  crafted.canary = "a user with extreme values, or one who contributes nothing";
  crafted.neighbours.relation = Relation::zero_out;
  crafted.blanked = {3, 4, 5};
  return crafted;
}

CraftedTensor one_rating_or_none() {
  return {.canary = "a user with one value, there or not",
          .neighbours = kUser,
          .data = cells_of({2, 1, 1}, [](auto cell, double secret) {
            return cell[0] == 0 ? 0 : secret < 0.5 ? kNoCell : 1;
          })};
}

CraftedTensor user_in_two_relations() {
  CraftedTensor crafted = user_or_none();
  crafted.canary = "a user with cells in two relations, there or not";
  crafted.data = [in_one = crafted.data](double secret) { return in_two_relations(in_one(secret)); };
  return crafted;
}

std::shared_ptr<const Coupling> two_relations() {
  return std::make_shared<const Coupling>(coupling_of_two());
}

// NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)

CraftedCounts event_in_an_empty_cell() {
  return {.canary = "an event in a cell that has no other",
          .shape = {2, 3},
          .known = {{0, 0}},
          .first = {},
          .second = {{1, 2}}};
}

CraftedCounts event_elsewhere() {
  return {.canary = "an event in one cell, or in one that differs from it in every mode",
          .shape = {2, 3},
          .known = {{0, 0}},
          .first = {{0, 1}},
          .second = {{1, 2}},
          .neighbours = {Unit::event, Relation::replace}};
}

// More events than count, so that as many as count are in one cell.
CraftedCounts user_in_one_cell() {
  return {.canary = "a user with all events in a cell that has no other",
          .shape = {2, 2, 3},
          .known = {{0, 0, 0}},
          .first = {},
          .second = {{1, 1, 2}, {1, 1, 2}, {1, 1, 2}, {1, 1, 2}},
          .neighbours = {Unit::user, Relation::add_remove}};
}

Settings crafted_rows() {
  return Settings().set(setting::rows_per_user, 3);
}

CraftedDocuments other_word() {
  return {"a document of one word thrice, or of another", {1, 1, 1}, {2, 2, 2}};
}

CraftedDocuments one_of_two_words() {
  return {"a document of one of two words thrice", {0, 0, 0}, {1, 1, 1}, 2};
}

CraftedDocuments other_order() {
  return {"the order of a document's words", {0, 1, 2}, {2, 1, 0}};
}

CraftedDocuments long_document() {
  return {.canary = "a document of one word five times, or of another",
          .first = {1, 1, 1, 1, 1},
          .second = {2, 2, 2, 2, 2},
          .known = {0, 0, 0, 0, 0},
          .length_public = false};
}

CraftedDocuments one_per_site() {
  return {.canary = "a document of one of three sites", .first = {1, 1, 1}, .second = {2, 2, 2}, .others = 2};
}

CraftedNumbers other_sign() {
  return {"a number of length 1, or its opposite", {1, 1}, {1, -1}};
}

}  // namespace tulle
