#include "sites/local_rows.hpp"

#include "sites/coupled_pairs.hpp"

#include <algorithm>

namespace tulle::attacks {
namespace {

// All entities but users, who are at one site each, and those of a public table, which all sites share.
std::vector<int> candidates(const Coupling& coupling, int user_mode) {
  std::vector<int> entities;
  for (int entity = 0; entity < coupling.relation_mode(); ++entity) {
    const bool is_public = std::ranges::any_of(coupling.tables, [&](const PublicTable& table) {
      return std::ranges::find(table.modes, entity) != table.modes.end();
    });
    if (entity != user_mode && !is_public) entities.push_back(entity);
  }
  return entities;
}

}  // namespace

std::vector<std::shared_ptr<const Coupling>> draw_local_rows(CompletionJob& job, const Shape& shape,
                                                             int sites, Random& random) {
  Coupling common = job.fit.coupling ? *job.fit.coupling : one_relation(shape, job.terms.user_mode);
  const std::vector<int> entities = candidates(common, job.terms.user_mode);
  if (entities.empty() || random.chance(0.5)) return {};
  const int entity = entities[random.below(entities.size())];
  const std::uint64_t count = common.sizes[static_cast<std::size_t>(entity)];
  common.sizes[static_cast<std::size_t>(entity)] = count * static_cast<std::uint64_t>(sites);
  if (job.found().setting(setting::protection.name) && random.chance(0.5))
    job.settings.set(setting::protection, Protection::shared);
  std::vector<std::shared_ptr<const Coupling>> all;
  for (Index site = 0; site < static_cast<Index>(sites); ++site) {
    Coupling own = common;
    own.local = {{entity, site * static_cast<Index>(count), static_cast<Index>(count)}};
    all.push_back(std::make_shared<const Coupling>(std::move(own)));
  }
  return all;
}

SparseTensor at_local_rows(const SparseTensor& cells, const Coupling& coupling, int user_mode) {
  SparseTensor moved(coupling.shape(user_mode, cells.shape()[user_mode]), Unlisted::missing);
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto stored = cells.cells().cell(entry);
    std::vector<Index> cell(stored.begin(), stored.begin() + cells.order());
    for (const Coupling::Local& local : coupling.local) {
      Index& position = cell[static_cast<std::size_t>(local.entity)];
      // The last position belongs to relations that lack the entity; all sites share it.
      position = position < local.count ? local.first + position : moved.shape()[local.entity] - 1;
    }
    moved.append(cell, cells.values()[entry]);
  }
  return moved;
}

}  // namespace tulle::attacks
