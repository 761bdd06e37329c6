#include "sites/coupled_pairs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/coupling.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace tulle::attacks {
namespace {

int another_mode(int mode, int order, Random& random) {
  const int drawn = static_cast<int>(random.below(static_cast<std::uint64_t>(order - 1)));
  return drawn + (drawn >= mode);
}

// A table about an entity of the relations and an entity of its own.
PublicTable random_table(const Coupling& coupling, int user_mode, Random& random) {
  const int shared = another_mode(user_mode, coupling.relation_mode(), random);
  const std::uint64_t size = coupling.sizes[static_cast<std::size_t>(shared)];
  PublicTable table{"public", SparseTensor(Shape{size, 3}, Unlisted::missing), {shared, PublicTable::kOwn}};
  for (Index position = 0; position < size; ++position)
    for (Index own = 0; own < 3; ++own)
      table.cells.append(std::array{position, own}, static_cast<float>(random.normal()));
  return table;
}

Coupling random_coupling(const Shape& shape, int user_mode, Random& random) {
  Coupling coupling = one_relation(shape, user_mode);
  std::vector<int> all = coupling.relations.front().modes;
  const bool tables_alone = random.chance(0.2);
  if (!tables_alone) {
    if (shape.order() > 2 && random.chance(0.7))
      std::erase(all, another_mode(user_mode, shape.order(), random));
    coupling.relations.push_back({"second", all});
  }
  if (tables_alone || random.chance(0.3))
    coupling.tables.push_back(random_table(coupling, user_mode, random));
  return coupling;
}

// Cells with an odd sum of positions go to the second relation, without the entities that it lacks.
SparseTensor stacked(const SparseTensor& cells, const Coupling& coupling, int user_mode) {
  SparseTensor tensor(coupling.shape(user_mode, cells.shape()[user_mode]), Unlisted::missing);
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cells().cell(entry);
    const Index sum = std::accumulate(cell.begin(), cell.begin() + cells.order(), Index{0});
    const std::size_t relation = coupling.several() ? sum % 2 : 0;
    std::vector<std::uint64_t> shape;
    std::vector<Index> own;
    for (int mode : coupling.relations[relation].modes) {
      shape.push_back(cells.shape()[mode]);
      own.push_back(cell[static_cast<std::size_t>(mode)]);
    }
    SparseTensor one(Shape(shape), Unlisted::missing);
    one.append(own, cells.values()[entry]);
    append_stacked(tensor, coupling, relation, one);
  }
  return tensor;
}

}  // namespace

Coupling one_relation(const Shape& shape, int user_mode) {
  Coupling coupling;
  for (int mode = 0; mode < shape.order(); ++mode)
    coupling.sizes.push_back(mode == user_mode ? 1 : std::uint64_t{shape[mode]});
  std::vector<int> all(static_cast<std::size_t>(shape.order()));
  std::iota(all.begin(), all.end(), 0);
  coupling.relations = {{"first", std::move(all)}};
  return coupling;
}

void couple(RandomCompletion& completion, std::uint64_t number) {
  auto& [job, pair, text] = completion;
  Random random(number, 15);
  if (!job.found().couples || job.fit.model != ModelKind::cp || random.chance(0.4)) return;
  const int users = job.terms.user_mode;
  Coupling coupling = random_coupling(pair.first.shape(), users, random);
  pair.first = stacked(pair.first, coupling, users);
  pair.second = stacked(pair.second, coupling, users);
  text += fmt::format(", {} relations, {} public tables", coupling.relations.size(), coupling.tables.size());
  job.fit.coupling = std::make_shared<const Coupling>(std::move(coupling));
}

}  // namespace tulle::attacks
