#include "observations.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/zeros.hpp>
#include <tulle/solve/coupled/zero_sample.hpp>

#include <algorithm>

namespace tulle {
namespace {

using Entries = std::shared_ptr<const SparseTensor>;

// With hidden cells, up to this many zeros are listed: sums over all cells minus those over hidden ones
// cancel where a component lies on hidden cells. Zeros are listed as well if they are fewer than the hidden
// cells.
constexpr double kZerosPerEntry = 4, kMostZeros = 1 << 20;

Entries listed(const Table& table) {
  if (table.floor == 0) return {Entries(), &table.data};  // not copied; Euclidean data may be negative
  SparseTensor data = table.data;
  for (float& value : data.values()) value = std::max(value, static_cast<float>(table.floor));
  return std::make_shared<SparseTensor>(std::move(data));
}

Entries constant(Cells cells, double value) {
  std::vector<float> values(cells.size(), static_cast<float>(value));
  return std::make_shared<SparseTensor>(std::move(cells), std::move(values), Unlisted::missing);
}

bool has_closed_form(const Table& table) {
  return (is<Euclidean>(table.divergence) || is<KullbackLeibler>(table.divergence)) && table.floor == 0;
}

}  // namespace

bool lists_all_cells(const SparseTensor& data) {
  double cells = 1;
  for (Index size : data.shape().dimensions()) cells *= size;
  return static_cast<double>(data.size()) == cells;
}

std::size_t zero_sample_size(const Table& table) {
  return std::max<std::size_t>(std::size_t{1} << 16, table.data.size());
}

bool samples_zeros(const Table& table) {
  return table.data.unlisted() == Unlisted::zero && !has_closed_form(table) &&
         table.observed_cells() - static_cast<double>(table.data.size()) >
             static_cast<double>(zero_sample_size(table));
}

Observations observe(const Table& table, std::uint64_t seed) {
  Observations observations;
  observations.blocks.push_back({listed(table)});
  if (table.data.unlisted() == Unlisted::missing) {
    observations.closed = has_closed_form(table) && lists_all_cells(table.data);
    observations.blocks[0].model = observations.closed ? 0 : 1;
    return observations;
  }
  const double entries = static_cast<double>(table.data.size()), zeros = table.observed_cells() - entries;
  const double hidden = table.hidden ? static_cast<double>(table.hidden->size()) : 0;
  const bool lists_zeros =
      hidden > zeros || zeros <= std::min(kMostZeros, kZerosPerEntry * (entries + hidden));
  if (has_closed_form(table) && (hidden == 0 || !lists_zeros)) {
    observations.closed = true;
    observations.blocks[0].model = 0;
    if (hidden > 0) observations.blocks.push_back({constant(*table.hidden, 0), 0, -1});
    return observations;
  }
  const std::size_t most = has_closed_form(table) ? static_cast<std::size_t>(zeros) : zero_sample_size(table);
  Cells cells = unlisted_cells(table.data, table.hidden, most, seed);
  const double weight = cells.size() > 0 ? zeros / static_cast<double>(cells.size()) : 1;
  observations.blocks.push_back({constant(std::move(cells), table.floor), weight, weight});
  return observations;
}

}  // namespace tulle
